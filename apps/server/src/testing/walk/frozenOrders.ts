import { control } from "@metrum/contract/headend";
import { sql } from "kysely";
import { askedDevice } from "#headend/exchanges";
import { orderDownlink, sendDownlink } from "#headend/uplinks";
import type { TestApi } from "../api.ts";
import { until } from "../until.ts";

/** Payloads of the two orders of `ordersWhileFrozen`. */
export const frozenPayloads = { changing: Uint8Array.of(0xc0, 0xde), harmless: Uint8Array.of(0xfa, 0xce) };

/** Stops or releases the actuation of a company, absent: of the installation, by staff of the provider. */
export async function freezeControl(api: TestApi, is_frozen: boolean, company_id?: number): Promise<void> {
  const token = await api.token("admin@metrum.example");
  const body = { is_frozen, reason: "Accident", ...(company_id === undefined ? {} : { company_id }) };
  const { status, text } = await api.ask(control.freeze, { token, input: { body } });
  if (status !== 200) throw new Error(text);
}

/**
 * While actuation is frozen: an order that is written after the freeze for a command that changes the device, and
 * one that does not. Returns how each has ended.
 */
export async function ordersWhileFrozen(api: TestApi, deviceId: number) {
  const { services } = api;
  const { system } = services.database;
  const device = await askedDevice(system, deviceId);
  if (!device) throw new Error("no device");
  const down = { fPort: 2, confirmed: false };
  await freezeControl(api, true);
  try {
    const now = services.clock.now();
    const id = await orderDownlink(
      system,
      device,
      { ...down, payload: frozenPayloads.changing },
      { now, expiresAt: now + 60, changesDevice: true },
    );
    const changing = await until(async () => {
      const { rows } = await sql<{ state: string; message: string }>`
        select state, message from downlink_order where id = ${id} and ended_at is not null`.execute(system);
      return rows[0];
    });
    const harmless = await sendDownlink(
      services,
      device,
      { ...down, payload: frozenPayloads.harmless },
      { waitMs: 20_000 },
    );
    return { changing, harmless };
  } finally {
    await freezeControl(api, false);
  }
}
