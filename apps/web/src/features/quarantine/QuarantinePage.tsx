import { devices, quarantine, type QuarantinedReading } from "@metrum/contract";
import { useMemo, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useCall } from "#lib/call";
import { useFormat } from "#lib/format";
import { useAllowed, useSession } from "#lib/session";
import { Breadcrumbs } from "#ui/breadcrumbs";
import { Button, IconButton } from "#ui/button";
import { SelectField } from "#ui/field";
import { Grid, shownColumns, useIsPhone, useListProps, useListState, type GridState } from "#ui/grid";
import { filterOf, listDefaults, listInput, reasons, stateOf, states } from "./quarantine.ts";
import { deviceHref, quarantineColumns, QuarantinePhoneRow } from "./quarantineColumns.tsx";
import "./quarantine.css";
import { useDecisions, type Chosen } from "./useDecisions.ts";

const rowKey = (row: QuarantinedReading) => row.id;

function open(row: QuarantinedReading, isNewTab: boolean): void {
  if (isNewTab) window.open(deviceHref(row), "_blank", "noopener");
  else location.hash = deviceHref(row);
}

/** Readings whose stamp cannot be right, of a device or of the company: why, and what is to become of them. */
export function QuarantinePage() {
  const { t } = useTranslation("quarantine");
  const { number, language } = useFormat();
  const { zone } = useSession();
  const isPhone = useIsPhone();
  const list = useListState("quarantine", listDefaults);
  const { state } = list;
  const input = useMemo(() => ({ body: listInput(state) }), [state]);
  const query = useCall(quarantine.list, input, { keepsPrevious: true, isQuiet: true });
  const mayDecide = useAllowed("4:update");
  const { isBusy, decide } = useDecisions();
  const context = useMemo(() => ({ t, language, number, zone }), [t, language, number, zone]);
  const isWaiting = stateOf(state) === "waiting";
  const columns = useMemo(() => quarantineColumns(context, isWaiting), [context, isWaiting]);
  const shown = useMemo(() => shownColumns(columns, null), [columns]);
  const total = query.data?.readings.total ?? 0;
  const canDecide = mayDecide && isWaiting;
  return (
    <section className="quarantine">
      <header className="quarantine-head">
        <Breadcrumbs items={[{ title: t("devices"), href: "#/cloud/devices" }, { title: t("title") }]} />
        <h1>{t("title")}</h1>
        <p>{t("about")}</p>
      </header>
      <Filters state={state} onChange={list.change}>
        {canDecide && total > 0 ? (
          <Decide
            chosen={{ body: filterOf(state), count: total }}
            label={(verb) => t(`${verb}.all`, { count: total, shown: number(total, 0) })}
            isBusy={isBusy}
            decide={decide}
          />
        ) : null}
      </Filters>
      <Grid
        label={t("title")}
        columns={columns}
        shown={shown}
        {...useListProps(list, query, total)}
        rows={query.data?.readings.data ?? []}
        rowKey={rowKey}
        empty={isWaiting ? t("empty") : t("emptyOther")}
        onOpen={open}
        phoneRow={(row) => <QuarantinePhoneRow row={row} context={context} />}
        phoneHref={deviceHref}
        {...(canDecide && !isPhone
          ? {
              bulk: (keys, clear) => <Chosen keys={keys} clear={clear} isBusy={isBusy} decide={decide} />,
            }
          : {})}
      />
    </section>
  );
}

type Decisions = ReturnType<typeof useDecisions>;

function Decide(
  props: Decisions & { readonly chosen: Chosen; readonly label: (verb: "release" | "discard") => string },
) {
  const { chosen, label, isBusy, decide } = props;
  return (
    <span className="quarantine-decide">
      <Button disabled={isBusy} onClick={() => void decide("release", chosen)}>
        {label("release")}
      </Button>
      <Button disabled={isBusy} onClick={() => void decide("discard", chosen)}>
        {label("discard")}
      </Button>
    </span>
  );
}

function Chosen(props: Decisions & { readonly keys: readonly string[]; readonly clear: () => void }) {
  const { keys, clear, isBusy, decide } = props;
  const { t } = useTranslation("quarantine");
  const run = async (verb: "release" | "discard") => {
    if (await decide(verb, { body: { ids: [...keys] }, count: keys.length })) clear();
  };
  return (["release", "discard"] as const).map((verb) => (
    <button
      key={verb}
      type="button"
      className={verb === "release" ? "grid-bulk-button is-first" : "grid-bulk-button"}
      disabled={isBusy}
      onClick={() => void run(verb)}
    >
      {t(`${verb}.action`)}
    </button>
  ));
}

function Filters(props: {
  readonly state: GridState;
  readonly onChange: (change: Partial<GridState>) => void;
  readonly children: ReactNode;
}) {
  const { state, onChange, children } = props;
  const { t } = useTranslation("quarantine");
  const { device_id, reason } = filterOf(state);
  const filter = (id: string, value: string) => {
    const rest = Object.entries(state.filters).filter(([name]) => name !== id);
    onChange({ filters: Object.fromEntries(value === "" ? rest : [...rest, [id, [value]]]) });
  };
  return (
    <div className="quarantine-bar">
      <SelectField
        label={t("column.reason")}
        value={reason ?? ""}
        placeholder={t("everyReason")}
        options={reasons.map((each) => ({ value: each, title: t(`reason.${each}`) }))}
        onChange={({ currentTarget: { value } }) => filter("reason", value)}
      />
      <SelectField
        label={t("column.state")}
        value={stateOf(state)}
        options={states.map((each) => ({ value: each, title: t(`state.${each}`) }))}
        onChange={({ currentTarget: { value } }) => filter("state", value === "waiting" ? "" : value)}
      />
      {device_id === undefined ? null : <OnlyDevice id={device_id} onClear={() => filter("device", "")} />}
      {children}
    </div>
  );
}

/** The device that the list is narrowed to, and how many of its readings were only counted. */
function OnlyDevice({ id, onClear }: { readonly id: number; readonly onClear: () => void }) {
  const { t } = useTranslation("quarantine");
  const { number } = useFormat();
  const device = useCall(devices.get, { params: { id: String(id) } }, { isQuiet: true, freshMs: 60_000 });
  const summary = useCall(quarantine.summary, { body: { device_id: id } }, { isQuiet: true });
  const notKept = summary.data?.not_kept ?? 0;
  const name = device.data?.metering_device.name ?? t("device", { id });
  return (
    <>
      <span className="quarantine-device">
        <a href={deviceHref({ device_id: id })}>{name}</a>
        <IconButton icon="close" label={t("everyDevice")} onClick={onClear} />
      </span>
      {notKept > 0 ? (
        <span className="quarantine-not-kept">
          {t("notKept", { count: notKept, shown: number(notKept, 0) })}
        </span>
      ) : null}
    </>
  );
}
