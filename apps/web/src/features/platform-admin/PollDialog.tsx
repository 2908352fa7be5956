import { adminBroker, readings, type AdminDeviceRow, type AdminPoll } from "@metrum/contract";
import { useTranslation } from "react-i18next";
import { useCall } from "#lib/call";
import { formatClock, formatDate, useFormat } from "#lib/format";
import { useSession } from "#lib/session";
import { Button } from "#ui/button";
import { Dialog } from "#ui/dialog";
import { Note } from "#ui/states";
import { VectorDiagram } from "#ui/vectorDiagram";
import { pollInputOf } from "./modems.ts";
import { linesOf, phasesOf } from "./pollValues.ts";
import { useRefused } from "./useRefused.ts";

interface Props {
  readonly row: AdminDeviceRow;
  readonly onClose: () => void;
}

/** Asks what hangs on a modem and shows what it says: spinner, then values and vectors, or why there are none. */
export function PollDialog({ row, onClose }: Props) {
  const { t } = useTranslation("admin");
  // Never from memory: whoever opens it wants to know now.
  const { data, error, isFetching, refetch } = useCall(adminBroker.requestData, pollInputOf(row), {
    isQuiet: true,
    freshMs: 0,
  });
  useRefused(error);
  const titles = useCall(readings.fieldTitles, {}, { isQuiet: true, freshMs: Number.POSITIVE_INFINITY });
  const failure = data?.result === true && !error ? null : (error?.msg ?? (data?.error || t("error")));
  return (
    <Dialog
      title={t("poll.title", { id: row.device_id })}
      size={950}
      onClose={onClose}
      actions={
        <>
          <span className="poll-note">{t("poll.notStored")}</span>
          <Button icon="refresh" disabled={isFetching} onClick={() => void refetch()}>
            {t("refresh")}
          </Button>
          <Button kind="primary" data-autofocus onClick={onClose}>
            {t("poll.close")}
          </Button>
        </>
      }
    >
      <p className="poll-where">{t("poll.where", { port: row.broker_port, ip: row.ip_address })}</p>
      <div className="poll" aria-live="polite" aria-busy={isFetching}>
        {isFetching || titles.isPending ? (
          <p className="poll-waiting" role="status">
            <span className="spinner" aria-hidden="true" />
            {t("poll.asking")}
          </p>
        ) : data && failure === null ? (
          <Values answer={data.answer} titles={titles.data?.fields ?? []} />
        ) : (
          <Note title={t("poll.failed")} text={failure} glyph="alarm" role="alert" />
        )}
      </div>
    </Dialog>
  );
}

type Titles = Parameters<typeof linesOf>[1]["titles"];

function Values({ answer, titles }: { readonly answer: AdminPoll; readonly titles: Titles }) {
  const { number, language } = useFormat();
  const { zone } = useSession();
  const phases = phasesOf(answer);
  const lines = linesOf(answer, {
    titles,
    language,
    number: (value) => number(value),
    time: (at) => `${formatClock(at, zone)}, ${formatDate(at, zone)}`,
  });
  return (
    <>
      <dl className="poll-values">
        {lines.map(({ name, title, unit, value }) => (
          <div key={name} data-field={name}>
            <dt>{title}</dt>
            <dd>
              <b>{value}</b>
              <span>{unit}</span>
            </dd>
          </div>
        ))}
      </dl>
      {phases === undefined ? null : <VectorDiagram phases={phases} />}
    </>
  );
}
