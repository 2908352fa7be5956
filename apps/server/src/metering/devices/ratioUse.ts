import type { DeviceId } from "@metrum/vocabulary";
import type { Ctx } from "#core";

/** What rests on the ratio of a device: a domain above registers it. */
export interface RatioUse {
  /**
   * Refuses another ratio from a moment on (epoch seconds) that would alter what is billed already; `field` names
   * the moment in the request. Problem: period_closed.
   */
  readonly refuseBilled: (
    ctx: Ctx,
    change: { readonly deviceId: DeviceId; readonly from: number; readonly field: string },
  ) => Promise<void>;
}

declare module "#core" {
  interface Parts {
    readonly ratioUse: RatioUse;
  }
}
