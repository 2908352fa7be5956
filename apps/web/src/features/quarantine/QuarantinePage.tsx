import { devices, quarantine } from "@metrum/contract/metering";
import { useTranslation } from "react-i18next";
import { useCall } from "#lib/call";
import { useFormat } from "#lib/format";
import { deviceHref } from "#lib/screen";
import { useAllowed } from "#lib/session";
import { Breadcrumbs } from "#ui/breadcrumbs";
import { Button, IconButton } from "#ui/button";
import { BulkButton, useIsPhone, useListState } from "#ui/grid";
import { ListPage, ListView, useList } from "#ui/list";
import { filterOf, stateOf } from "./quarantine.ts";
import { quarantineList } from "./quarantineList.tsx";
import "./quarantine.css";
import { useDecisions, type Chosen } from "./useDecisions.ts";

/** Readings with an implausible time stamp, of a device or of the company: the reason, and a decision. */
export function QuarantinePage() {
  const { t } = useTranslation("quarantine");
  const { number } = useFormat();
  const isPhone = useIsPhone();
  const mayDecide = useAllowed("4:update");
  const decisions = useDecisions();
  const { state, change } = useListState(quarantineList.key, quarantineList.defaults);
  const isWaiting = stateOf(state) === "waiting";
  const list = useList(quarantineList, { isWaiting });
  const { total = 0 } = list;
  const { device_id } = filterOf(state);
  const canDecide = mayDecide && isWaiting;
  const { device: _, ...others } = state.filters;
  return (
    <ListPage
      title={t("title")}
      about={t("about")}
      path={<Breadcrumbs items={[{ title: t("devices"), href: "#/cloud/devices" }, { title: t("title") }]} />}
    >
      <ListView
        list={list}
        empty={isWaiting ? t("empty") : t("emptyOther")}
        tools={
          <>
            {device_id === undefined ? null : (
              <OnlyDevice id={device_id} onClear={() => change({ filters: others })} />
            )}
            {canDecide && total > 0 ? (
              <Decide
                chosen={{ body: filterOf(state), count: total }}
                label={(verb) => t(`${verb}.all`, { count: total, shown: number(total, 0) })}
                {...decisions}
              />
            ) : null}
          </>
        }
        bulk={
          canDecide && !isPhone
            ? (keys, clear) => <Chosen keys={keys} clear={clear} {...decisions} />
            : undefined
        }
      />
    </ListPage>
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
    <BulkButton key={verb} isFirst={verb === "release"} disabled={isBusy} onClick={() => void run(verb)}>
      {t(`${verb}.action`)}
    </BulkButton>
  ));
}

/** The device that the list is filtered by, and how many of its readings were only counted. */
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
        <a href={deviceHref(id)}>{name}</a>
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
