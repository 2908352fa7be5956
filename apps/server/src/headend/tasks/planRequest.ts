import { problem, problems, type ParsedOf } from "@metrum/contract/core";
import type { RequestPlan, tasks } from "@metrum/contract/headend";
import { faultWords, type Ctx } from "#core";
import { refusalsOf, storedRequestOf } from "./storedRequest.ts";
import { askableDevices } from "./requestStore.ts";

/** Devices that are named with a reason. */
const mostNamed = 20;

/**
 * Sorts devices by whether they can answer a request of stored data, in words of the user. Problems: not_found (one
 * foreign id refuses the whole list), wrong_input for a faulty request, or one of current values.
 */
export async function planRequest(
  { db, scope, clock, language }: Ctx,
  { device_ids, management }: ParsedOf<typeof tasks.planRequest>["body"],
): Promise<RequestPlan> {
  const stored = storedRequestOf(management);
  if (!stored) throw problem("wrong_input", { attributes: { "management.type": ["required"] } });
  const devices = await askableDevices(db, scope, [...new Set(device_ids)]);
  const refusals = refusalsOf(devices, stored, clock.now());
  const byReason = new Map<string, number[]>();
  const able: number[] = [];
  for (const { id, isPutAway } of devices) {
    const refusal = refusals.get(id);
    const reason = isPutAway
      ? problems.device_put_away.text[language]
      : refusal && faultWords(refusal.fault, language);
    if (reason === undefined) able.push(id);
    else byReason.set(reason, [...(byReason.get(reason) ?? []), id]);
  }
  const refused = [...byReason]
    .map(([reason, ids]) => ({ reason, device_count: ids.length, device_ids: ids.slice(0, mostNamed) }))
    .sort((a, b) => b.device_count - a.device_count);
  return { device_ids: able, refused };
}
