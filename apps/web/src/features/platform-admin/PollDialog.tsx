import { adminBroker, type AdminDeviceRow, type AdminPoll } from "@metrum/contract/headend";
import { readings } from "@metrum/contract/metering";
import { useTranslation } from "react-i18next";
import { reasonOf, useCall } from "#lib/call";
import { formatClock, formatDate, useFormat } from "#lib/format";
import { useSession } from "#lib/session";
import { Button } from "#ui/button";
import { Dialog } from "#ui/dialog";
import { snack } from "#ui/snackbar";
import { Note } from "#ui/states";
import { Status } from "#ui/status";
import { phasesOf, VectorDiagram } from "#ui/vectorDiagram";
import { pollInputOf } from "./modems.ts";
import { linesOf, tabbed, type PollLine } from "./pollValues.ts";
import { useRefused } from "./useRefused.ts";

interface Props {
  readonly row: AdminDeviceRow;
  readonly onClose: () => void;
}

/** Polls the device behind a modem and shows the result: spinner, then values and vectors, or the failure. */
export function PollDialog({ row, onClose }: Props) {
  const { t } = useTranslation("admin");
  const { zone } = useSession();
  // Never from the cache: the dialog is opened for current values.
  const { data, error, isFetching, dataUpdatedAt, refetch } = useCall(
    adminBroker.requestData,
    pollInputOf(row),
    {
      isQuiet: true,
      freshMs: 0,
    },
  );
  useRefused(error);
  const titles = useCall(readings.fieldTitles, {}, { isQuiet: true, freshMs: Number.POSITIVE_INFINITY });
  const isWaiting = isFetching || titles.isPending;
  const lines = useLines(
    !isWaiting && !error && data?.result === true ? data.answer : undefined,
    titles.data?.fields,
  );
  const failure = error ? reasonOf(error) : data?.error;
  const copy = async () => {
    await navigator.clipboard.writeText(tabbed(lines ?? []));
    snack({ kind: "brief", text: t("poll.copied") });
  };
  return (
    <Dialog
      title={t("poll.title", { id: row.device_id })}
      size={950}
      onClose={onClose}
      actions={
        <>
          <span className="poll-note">{t("poll.notStored")}</span>
          <Button icon="copy" disabled={!lines} onClick={() => void copy()}>
            {t("poll.copy")}
          </Button>
          {/* Disabled it would lose the focus, and with it Escape. */}
          <Button
            icon="refresh"
            isBusy={isFetching}
            aria-disabled={isFetching}
            onClick={() => (isFetching ? undefined : void refetch())}
          >
            {t("refresh")}
          </Button>
          <Button kind="primary" data-autofocus onClick={onClose}>
            {t("poll.close")}
          </Button>
        </>
      }
    >
      <p className="poll-where">
        {t("poll.where", { port: row.broker_port, ip: row.ip_address })}
        {lines ? (
          <Status kind="ok">{t("poll.answered", { at: formatClock(dataUpdatedAt / 1000, zone) })}</Status>
        ) : null}
      </p>
      <div className="poll" aria-live="polite" aria-busy={isFetching}>
        {isWaiting ? (
          <p className="poll-waiting" role="status">
            <span className="spinner" aria-hidden="true" />
            {t("poll.asking")}
          </p>
        ) : data && lines ? (
          <Values lines={lines} answer={data.answer} />
        ) : (
          <Note title={t("error")} text={failure || undefined} glyph="alarm" role="alert" />
        )}
      </div>
    </Dialog>
  );
}

type Titles = Parameters<typeof linesOf>[1]["titles"];

/** The result in the language and number format of the user; undefined while there is no answer. */
function useLines(answer: AdminPoll | undefined, titles: Titles = []): readonly PollLine[] | undefined {
  const { t } = useTranslation("admin");
  const { number, language } = useFormat();
  const { zone } = useSession();
  return (
    answer &&
    linesOf(answer, {
      titles,
      language,
      number: (value) => number(value),
      time: (at) => `${formatClock(at, zone)}, ${formatDate(at, zone)}`,
      head: (name) => t(`poll.head.${name}`),
    })
  );
}

function Values({ lines, answer }: { readonly lines: readonly PollLine[]; readonly answer: AdminPoll }) {
  const { t } = useTranslation("admin");
  const phases = phasesOf(answer);
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
      {phases === undefined ? (
        <p className="poll-no-vectors">{t("poll.noVectors")}</p>
      ) : (
        <VectorDiagram phases={phases} />
      )}
    </>
  );
}
