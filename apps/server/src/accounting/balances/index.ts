import type { Domain } from "#core";
import { serveBalances } from "./calls.ts";

export { addBalanceGroup, type NewBalanceGroup } from "./groups.ts";
export { balancesWith, type ChangedBalance, type ChangedDay } from "./ofPoint.ts";

/** Balance groups: what goes into a part of a network against what leaves it, and why the two differ. */
export const balances: Domain = { name: "balances", calls: serveBalances };
