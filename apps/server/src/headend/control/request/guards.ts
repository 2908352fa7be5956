import { problem } from "@metrum/contract/core";
import { controlLimits, type ControlPlan } from "@metrum/contract/headend";
import { switchesOff, type RequestedCommand } from "@metrum/vocabulary";
import { accountOf, requireCode, requirePassword } from "#access/profile";
import { hasTwoFactor, spendCode } from "#access/two-factor";
import type { Ctx, Db } from "#core";
import type { CommandRequest } from "#headend/tasks";
import { requestedSince, switchedOffSince } from "../openStore.ts";
import { asksSecondFactor, freezesOf } from "./guardStore.ts";

const limitedSec = 60;
const switchOffSec = 600;

/** Refuses commands that change devices while they are frozen. Problem: control_frozen with the reason. */
export async function refuseFrozen({ database, scope }: Pick<Ctx, "database" | "scope">): Promise<void> {
  const [first] = await freezesOf(database.system, scope.companyId);
  if (first) throw problem("control_frozen", { params: { reason: first.reason } });
}

/**
 * Refuses an actuation beyond the pace of the user or the company. Tasks with many devices are accepted and
 * sent at that pace. Problem: control_limit.
 */
export async function refuseTooFast(db: Db, { scope, clock }: Pick<Ctx, "scope" | "clock">): Promise<void> {
  const asked = await requestedSince(db, scope, clock.now() - limitedSec);
  if (asked.company >= controlLimits.perCompany)
    throw problem("control_limit", { params: { max: controlLimits.perCompany } });
  if (asked.user >= controlLimits.perUser)
    throw problem("control_limit", { params: { max: controlLimits.perUser } });
}

export type Needs = ControlPlan["needs"];

/** What the user must prove with this command for so many devices. */
export async function needsOf(
  db: Db,
  { scope, clock, database }: Pick<Ctx, "scope" | "clock" | "database">,
  requested: RequestedCommand,
  devices: number,
): Promise<Needs> {
  const { command } = requested;
  if (!command.changesDevice) return [];
  const isOff = switchesOff(requested);
  const before = isOff ? await switchedOffSince(db, scope, clock.now() - switchOffSec) : 0;
  const isMany = isOff && before + devices > controlLimits.switchOffs;
  const asksCode = await asksSecondFactor(db, scope.companyId);
  if (!isMany && !asksCode) return [];
  const hasCode = await hasTwoFactor(database.system, scope.userId);
  return [
    ...(isMany && devices > 1 ? (["device_count"] as const) : []),
    // Where the company asks for the second factor, the password does not stand for it.
    ...(hasCode && asksCode ? [] : (["current_password"] as const)),
    ...(hasCode ? (["one_t_p"] as const) : []),
  ];
}

/**
 * Checks what the user has proved: the number of the devices, and a one-time code or the password. Problems:
 * control_proof naming what is missing, password_wrong, one_time_code_wrong.
 */
export async function prove(
  ctx: Ctx,
  needs: Needs,
  { proof, devices }: { readonly proof: CommandRequest["proof"]; readonly devices: number },
): Promise<void> {
  if (needs.length === 0) return;
  const hasSecret =
    (proof.one_t_p !== undefined && needs.includes("one_t_p")) ||
    (proof.current_password !== undefined && needs.includes("current_password"));
  const isCounted = !needs.includes("device_count") || proof.device_count === devices;
  if (!hasSecret || !isCounted)
    throw problem("control_proof", {
      attributes: Object.fromEntries(
        needs
          .filter((need) => (need === "device_count" ? !isCounted : !hasSecret))
          .map((need) => [need, ["required"]]),
      ),
    });
  const account = await accountOf(ctx);
  const { one_t_p } = proof;
  if (one_t_p !== undefined && needs.includes("one_t_p"))
    await requireCode(ctx, account, {
      action: "device.control",
      check: async () => (await spendCode(ctx, account.id, one_t_p)) === "ok",
    });
  else await requirePassword(ctx, account, { password: proof.current_password, action: "device.control" });
}
