import type { AccountingPoint } from "@metrum/contract/accounting";
import type { useRegisters } from "../registers.tsx";
import type { SwapCheck } from "./useSwapCheck.ts";
import type { SwapDraftInUse } from "./useSwapDraft.ts";

/** What every step of the wizard shows and changes. */
export interface StepProps {
  readonly point: AccountingPoint;
  readonly device: NonNullable<AccountingPoint["device"]>;
  readonly swap: SwapDraftInUse;
  /** Registers of the old and of the new meter. */
  readonly old: ReturnType<typeof useRegisters>;
  readonly next: ReturnType<typeof useRegisters>;
  readonly check: SwapCheck;
}
