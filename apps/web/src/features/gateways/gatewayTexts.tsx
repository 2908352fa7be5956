import type { Gateway } from "@metrum/contract/metering";
import { agoText, PhoneRow, type Words } from "#ui/list";
import { Status } from "#ui/status";
import { GatewayMenu, type Allowed } from "./GatewayMenu.tsx";
import { stateKinds, type GatewayModel } from "./gateways.ts";

export interface Own extends Allowed {
  readonly now: number;
  readonly known: readonly GatewayModel[] | undefined;
  readonly onEdit: (gateway: Gateway) => void;
  readonly onControl: (gateway: Gateway) => void;
}
type Said = Words & Own;

export const shownState = ({ state, is_archived }: Gateway, { t }: Pick<Words, "t">) => ({
  kind: stateKinds[state],
  text: t(is_archived ? "gateways:inArchive" : `gateways:state.${state}`),
});

/** "12" or "12, 3 silent". */
export function devicesText(row: Gateway, { t, number }: Pick<Words, "t" | "number">): string {
  const all = number(row.devices_count, 0);
  return row.silent_count === 0
    ? all
    : t("gateways:withSilent", { all, count: row.silent_count, silent: number(row.silent_count, 0) });
}

export const signalText = ({ signal }: Gateway, { t }: Pick<Words, "t">): string | null =>
  signal === null ? null : t("gateways:dbm", { signal: String(signal).replace("-", "−") });

/** Two lines of a phone: name and devices, state with model and last contact. */
export function PhoneLines({ row, context }: { readonly row: Gateway; readonly context: Said }) {
  const { kind, text } = shownState(row, context);
  return (
    <PhoneRow
      title={row.name}
      aside={context.t("behind", { devices: devicesText(row, context) })}
      line={
        <>
          <Status kind={kind}>{text}</Status> {row.model_title}
        </>
      }
      end={agoText(row.last_contact_at, context)}
      menu={<GatewayMenu gateway={row} {...context} />}
    />
  );
}
