import type { QuarantinedReading } from "@metrum/contract";
import { isMessageType, messageTypes, type Language } from "@metrum/vocabulary";
import type { TFunction } from "i18next";
import { formatDateTime } from "#lib/format";
import type { GridColumn } from "#ui/grid";
import { Status } from "#ui/status";
import { stateKinds, valuesText } from "./quarantine.ts";

export interface QuarantineContext {
  readonly t: TFunction<"quarantine">;
  readonly language: Language;
  readonly number: (value: number, decimals?: number) => string;
  readonly zone: string;
}

export const deviceHref = ({ device_id }: Pick<QuarantinedReading, "device_id">) =>
  `#/cloud/devices/data/${String(device_id)}`;

export function stampOf({ datetime }: QuarantinedReading, { t, zone }: QuarantineContext): string {
  return datetime === null ? t("noMoment") : formatDateTime(datetime, zone);
}

function decisionOf(row: QuarantinedReading, { t, zone }: QuarantineContext): string {
  if (row.decided_at === null) return "";
  return t("decided", { at: formatDateTime(row.decided_at, zone), by: row.decided_by ?? "—" });
}

export function ReadingState({
  row,
  context,
}: {
  readonly row: QuarantinedReading;
  readonly context: QuarantineContext;
}) {
  return (
    <Status kind={stateKinds[row.state]}>
      {row.state === "waiting"
        ? context.t("state.waiting")
        : `${context.t(`state.${row.state}`)}, ${decisionOf(row, context)}`}
    </Status>
  );
}

function typeOf({ msgType }: QuarantinedReading, language: Language): string {
  return isMessageType(msgType) ? messageTypes[msgType].title[language] : String(msgType);
}

/** The columns of the list as data; who decided what is shown of readings that somebody has decided about. */
export function quarantineColumns(
  context: QuarantineContext,
  isWaiting: boolean,
): readonly GridColumn<QuarantinedReading>[] {
  const { t, language, zone } = context;
  const text = (id: string, width: number, value: (row: QuarantinedReading) => string) => ({
    id,
    title: t(`column.${id}`),
    width,
    value,
    cell: value,
  });
  return [
    {
      ...text("device", 150, (row) => row.device_name),
      isFixed: true,
      isSticky: true,
      cell: (row) => (
        <a href={deviceHref(row)}>
          <b>{row.device_name}</b>
        </a>
      ),
    },
    {
      ...text("reason", 176, (row) => t(`reason.${row.reason}`)),
      cell: (row) => <Status kind="warn">{t(`reason.${row.reason}`)}</Status>,
    },
    { ...text("stamp", 132, (row) => stampOf(row, context)), align: "right" },
    { ...text("receipt", 128, (row) => formatDateTime(row.received_at, zone)), align: "right" },
    text("type", 116, (row) => typeOf(row, language)),
    text("values", 296, (row) => valuesText(row, context)),
    text("source", 112, (row) => t(`source.${row.source}`)),
    ...(isWaiting
      ? []
      : [
          {
            ...text("state", 280, (row) => `${t(`state.${row.state}`)}, ${decisionOf(row, context)}`),
            cell: (row: QuarantinedReading) => <ReadingState row={row} context={context} />,
          },
        ]),
  ];
}

/** A phone shows device and reason, then the two times, then the values. */
export function QuarantinePhoneRow({
  row,
  context,
}: {
  readonly row: QuarantinedReading;
  readonly context: QuarantineContext;
}) {
  const { t, zone } = context;
  return (
    <span className="quarantine-phone">
      <b>{row.device_name}</b>
      <Status kind="warn">{t(`reason.${row.reason}`)}</Status>
      <small>
        {t("times", { stamp: stampOf(row, context), receipt: formatDateTime(row.received_at, zone) })}
      </small>
      <small>{valuesText(row, context)}</small>
      {row.state === "waiting" ? null : <ReadingState row={row} context={context} />}
    </span>
  );
}
