import { gateways, type Gateway } from "@metrum/contract/metering";
import { useTranslation } from "react-i18next";
import { CarrierMenu, type CarrierKind } from "#carriers";
import { hasGatewayControls, type GatewayModel } from "#control";
import { useAllowed } from "#lib/session";
import type { MenuEntry } from "#ui/menu";
import { cardOf } from "./gateways.ts";

export interface Allowed {
  readonly mayChange: boolean;
  readonly mayDelete: boolean;
}

interface Props extends Allowed {
  readonly gateway: Gateway;
  /** Models of gateways: whether there is anything to control. */
  readonly known?: readonly GatewayModel[] | undefined;
  readonly onEdit: (gateway: Gateway) => void;
  readonly onControl: (gateway: Gateway) => void;
  /** On its own page the entry that opens it is left out. */
  readonly isOpen?: boolean;
}

const kind: CarrierKind = { calls: gateways, texts: "gateways", mismatch: "msg_64" };

/** Actions on a gateway; those without the right are left out. */
export function GatewayMenu(props: Props) {
  const { gateway, mayChange, mayDelete, known, onEdit, onControl, isOpen = false } = props;
  const { t } = useTranslation("gateways");
  const mayControl = useAllowed("4:update");
  const open: MenuEntry = { id: "open", title: t("menu.open"), icon: "gateway", href: cardOf(gateway) };
  const control: MenuEntry = {
    id: "control",
    title: t("menu.control"),
    icon: "send",
    onSelect: () => onControl(gateway),
  };
  return (
    <CarrierMenu
      {...{ kind, mayChange, mayDelete }}
      carrier={gateway}
      onEdit={() => onEdit(gateway)}
      first={isOpen ? [] : [open]}
      present={mayControl && hasGatewayControls(gateway, known) ? [control] : []}
    />
  );
}
