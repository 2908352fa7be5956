import type { AccountingPoint } from "@metrum/contract/accounting";
import { amountDecimals } from "@metrum/vocabulary";
import { ResourceIcon } from "#ui/icon";
import { agoText, PhoneRow, type Words } from "#ui/list";
import { Status } from "#ui/status";
import { shortAddressText } from "../pointAddress.ts";
import { PointMenu, type PointActions } from "../PointMenu.tsx";
import { meterText, resourceOf, stateKinds, unitTitle } from "../points.ts";
import { typeTitle } from "../typeTitle.ts";

export interface PointListContext extends PointActions {
  readonly now: number;
  /** The name of a device leads to its data. */
  readonly mayOpenDevices: boolean;
}
type Said = Words & PointListContext;

export const shownState = ({ state }: Pick<AccountingPoint, "state">, { t }: Pick<Words, "t">) => ({
  kind: stateKinds[state],
  text: t(`accountingPoints:state.${state}`),
});

/** "104 826.318 kWh", as the device shows it. */
export function lastText({ last_reading }: AccountingPoint, { number, language }: Words): string | null {
  if (last_reading === null) return null;
  return `${number(last_reading.value, amountDecimals)} ${unitTitle(last_reading.unit, language)}`;
}

export const deviceText = ({ device }: AccountingPoint): string | null =>
  device === null ? null : meterText(device);

/** Two lines of a phone: name and last reading, state and address. */
export function PhoneLines({ row, context }: { readonly row: AccountingPoint; readonly context: Said }) {
  const { kind, text } = shownState(row, context);
  return (
    <PhoneRow
      icon={<ResourceIcon resource={resourceOf(row).key} label={typeTitle(row, context.t)} />}
      title={row.name}
      aside={lastText(row, context)}
      line={
        <>
          <Status kind={kind}>{text}</Status> {shortAddressText(row)}
        </>
      }
      end={agoText(row.last_reading?.ts ?? null, context)}
      menu={<PointMenu point={row} {...context} />}
    />
  );
}
