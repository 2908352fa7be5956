import { gateways, type Gateway } from "@metrum/contract/metering";
import { refreshed } from "#carriers";
import { refetch, send } from "#lib/call";

export async function switchGateway({ id }: Gateway, is_active: boolean): Promise<void> {
  await send(gateways.edit, { body: { id, is_active } });
  await refetch(...refreshed);
}
