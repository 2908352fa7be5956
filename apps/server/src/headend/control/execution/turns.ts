import type { Services } from "#core";
import { askedTargets, type AskedDevice } from "#headend/exchanges";
import { followsOf, headsOf, type OpenCommand } from "../openStore.ts";

/** What a device is to be asked next; undefined: it is not there. */
export interface Turn {
  readonly device: AskedDevice | undefined;
  /** The command that can be sent now. */
  readonly command: OpenCommand | undefined;
  /** The command with an unknown outcome whose state is to be read. */
  readonly follow: OpenCommand | undefined;
}

/** The turns of devices, together with those that other lines look for meanwhile. */
export async function nextTurn({ parts }: Services, deviceId: number): Promise<Turn | undefined> {
  return (await parts.commandBatches.turns.add([deviceId]))[0];
}

export async function turnsOf(
  { database: { system }, clock }: Pick<Services, "database" | "clock">,
  ids: readonly number[],
): Promise<Turn[]> {
  const heads = new Map((await headsOf(system, ids, clock.now())).map((each) => [each.deviceId, each]));
  const follows = new Map((await followsOf(system, ids)).map((each) => [each.deviceId, each]));
  const wanted = [...new Set([...heads.keys(), ...follows.keys()])];
  const devices = new Map<number, AskedDevice>(
    (await askedTargets(system, wanted)).map((each) => [each.id, each]),
  );
  return ids.map((id) => ({
    device: devices.get(id),
    command: heads.get(id as OpenCommand["deviceId"]),
    follow: follows.get(id as OpenCommand["deviceId"]),
  }));
}
