import { codecs, decodeAgain, type DeviceModel, type PayloadCodec } from "@metrum/contract/metering";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { exchange, ignoreFailure, refetch } from "#lib/call";
import { formatDateTime, useFormat } from "#lib/format";
import { useAllowed, useSession } from "#lib/session";
import { Button, IconButton } from "#ui/button";
import { confirm } from "#ui/dialog";
import { snack } from "#ui/snackbar";
import { Status } from "#ui/status";

interface Props {
  readonly rows: readonly PayloadCodec[];
  readonly known: readonly DeviceModel[];
  readonly current: number | null;
  readonly onOpen: (codec: PayloadCodec) => void;
  readonly onGone: (id: number) => void;
}

/** Days for which the server keeps payloads. */
const keptSec = 30 * 86_400;

export function CodecVersions({ rows, known, ...rest }: Props) {
  const modelIds = [...new Set(rows.map((row) => row.model_id))];
  const titleOf = (id: number) => {
    const model = known.find((each) => each.id === id);
    return model ? `${model.brand} ${model.title}` : `#${String(id)}`;
  };
  return modelIds.map((id) => (
    <section key={id} className="codecs-model">
      <h2>{titleOf(id)}</h2>
      <ul>
        {rows
          .filter((row) => row.model_id === id)
          .map((row) => (
            <Version key={row.id} row={row} {...rest} />
          ))}
      </ul>
    </section>
  ));
}

type VersionProps = { readonly row: PayloadCodec } & Pick<Props, "current" | "onOpen" | "onGone">;

function Version({ row, current, onOpen, onGone }: VersionProps) {
  const { t } = useTranslation("codecs");
  const { number } = useFormat();
  const mayChange = useAllowed("4:update|4:access_all");
  const mayDelete = useAllowed("4:delete|4:access_all");
  const [isBusy, setBusy] = useState(false);
  const run = async (work: () => Promise<void>) => {
    setBusy(true);
    await work().catch(ignoreFailure);
    await refetch(codecs.list);
    setBusy(false);
  };
  const switchTo = async (is_active: boolean): Promise<void> => {
    const { msg } = await exchange(codecs.switch, { params: { id: String(row.id) }, body: { is_active } });
    const undo = { title: t("undo"), run: () => void run(() => switchTo(!is_active)) };
    snack({ text: msg, action: undo });
  };
  const remove = async (): Promise<void> => {
    const isSure = await confirm({
      title: t("deleteTitle", { version: row.version }),
      text: row.is_active ? t("deleteActive") : t("deleteText"),
      action: t("delete"),
      isHarmful: true,
    });
    if (!isSure) return;
    const { msg } = await exchange(codecs.delete, { params: { id: String(row.id) } });
    onGone(row.id);
    snack(msg);
  };
  const again = async (): Promise<void> => {
    const { payloads, failed } = await decodeAll(row.model_id);
    snack(t("againDone", { payloads: number(payloads, 0), failed: number(failed, 0) }));
  };
  return (
    <li className="codecs-version" data-current={row.id === current ? "" : undefined}>
      <button
        type="button"
        className="codecs-open"
        onClick={() => onOpen(row)}
        aria-pressed={row.id === current}
      >
        <span>{t("version", { version: row.version })}</span>
        <small>{row.name}</small>
      </button>
      {row.is_active ? <Status kind="ok">{t("active")}</Status> : null}
      {row.is_active && row.last_failure ? <LastFailure failure={row.last_failure} /> : null}
      {mayChange ? (
        <Button size="small" disabled={isBusy} onClick={() => void run(() => switchTo(!row.is_active))}>
          {row.is_active ? t("switchOff") : t("switchOn")}
        </Button>
      ) : null}
      {mayChange && row.is_active ? (
        <IconButton
          icon="refresh"
          size="small"
          label={t("again")}
          disabled={isBusy}
          onClick={() => void run(again)}
        />
      ) : null}
      {mayDelete ? (
        <IconButton
          icon="trash"
          size="small"
          label={t("deleteVersion", { version: row.version })}
          disabled={isBusy}
          onClick={() => void run(remove)}
        />
      ) : null}
    </li>
  );
}

type Failure = NonNullable<PayloadCodec["last_failure"]>;

/**
 * The newest payload that the active version failed to decode; its bytes are in the exchange log of the
 * device.
 */
function LastFailure({ failure: { at, device_name, message } }: { readonly failure: Failure }) {
  const { t } = useTranslation("codecs");
  const { zone } = useSession();
  const when = formatDateTime(at, zone);
  return (
    <p className="codecs-failure">
      <Status kind="alarm">{t("lastFailure", { at: when, device: device_name, message })}</Status>
    </p>
  );
}

/** Re-decodes all stored payloads of a model, in parts. */
async function decodeAll(model_id: number): Promise<{ payloads: number; failed: number }> {
  const stop_date = Math.floor(Date.now() / 1000) + 86_400;
  const body = { model_id, start_date: stop_date - keptSec - 86_400, stop_date };
  const sum = { payloads: 0, failed: 0 };
  for (let after: string | null | undefined; after !== null;) {
    const { data } = await exchange(decodeAgain.run, { body: { ...body, ...(after ? { after } : {}) } });
    sum.payloads += data.payloads;
    sum.failed += data.failed;
    after = data.next;
  }
  return sum;
}
