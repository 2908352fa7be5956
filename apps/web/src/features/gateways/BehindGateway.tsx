import { devices, type Gateway } from "@metrum/contract/metering";
import { Suspense, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useCall } from "#lib/call";
import { BulkButton, useListState } from "#ui/grid";
import { ListView, useChoosing, useListOf } from "#ui/list";
import { behindInput, behindList, type BehindRow } from "./behindList.tsx";
import { ReplaceDialog, type Moved } from "#devices";

interface Moving {
  readonly devices: readonly Moved[];
  readonly clear: () => void;
}

/** The devices behind a gateway; selected ones can be moved to another one. */
export function BehindGateway({
  gateway,
  mayMove,
}: {
  readonly gateway: Gateway;
  readonly mayMove: boolean;
}) {
  const { t } = useTranslation("gateways");
  const address = useListState(behindList.key, behindList.defaults);
  const { state } = address;
  const input = useMemo(() => behindInput(state, gateway.id), [state, gateway.id]);
  const query = useCall(devices.list, input, { keepsPrevious: true, isQuiet: true });
  const found = query.data?.metering_devices;
  const answer = useMemo(
    () =>
      found && {
        rows: found.data.filter((row): row is BehindRow => row.id !== undefined),
        total: found.total,
      },
    [found],
  );
  const saved = useMemo(() => ({ call: devices.list, input }), [input]);
  const list = useListOf(behindList, {}, { address, query, answer, saved });
  const choosing = useChoosing();
  const [moving, setMoving] = useState<Moving | null>(null);
  const bulk = (keys: readonly string[], clear: () => void) => (
    <BulkButton isFirst onClick={() => setMoving({ devices: movedOf(list.rows, keys), clear })}>
      {t("replace.open")}
    </BulkButton>
  );
  return (
    <>
      <ListView list={list} {...(mayMove ? { ...choosing, bulk } : {})} />
      {moving ? (
        <Suspense>
          <ReplaceDialog
            devices={moving.devices}
            gatewayId={gateway.id}
            onMoved={moving.clear}
            onClose={() => setMoving(null)}
          />
        </Suspense>
      ) : null}
    </>
  );
}

/** Name and address of the selected devices: only listed rows can be selected. */
const movedOf = (rows: readonly BehindRow[], keys: readonly string[]): readonly Moved[] =>
  rows
    .filter(({ id }) => keys.includes(String(id)))
    .map(({ id, name = "", inside_addr = "" }) => ({ id, name, inside_addr }));
