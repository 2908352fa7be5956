import type { ValidationKind } from "@metrum/contract/accounting";
import { clock } from "./clock.ts";
import { contractPower } from "./contractPower.ts";
import { duplicate } from "./duplicate.ts";
import { foreignSerial } from "./foreignSerial.ts";
import { frozen } from "./frozen.ts";
import { gap } from "./gap.ts";
import { high } from "./high.ts";
import { intervalSum } from "./intervalSum.ts";
import type { Kind } from "./kind.ts";
import { low } from "./low.ts";
import { negative } from "./negative.ts";
import { noConsumer } from "./noConsumer.ts";
import { prolongedEstimation } from "./prolongedEstimation.ts";
import { ratio } from "./ratio.ts";
import { reverseFlow } from "./reverseFlow.ts";
import { sibling } from "./sibling.ts";
import { spike } from "./spike.ts";
import { sumOfTariffs } from "./sumOfTariffs.ts";
import { unit } from "./unit.ts";
import { voltage } from "./voltage.ts";

/** Every kind of rule. A finding of `unit` explains spikes and high days within it, so it comes first. */
export const kinds: Readonly<Record<ValidationKind, Kind>> = {
  unit,
  ratio,
  negative,
  duplicate,
  spike,
  gap,
  high,
  low,
  frozen,
  reverse_flow: reverseFlow,
  sum_of_tariffs: sumOfTariffs,
  sibling,
  clock,
  prolonged_estimation: prolongedEstimation,
  interval_sum: intervalSum,
  contract_power: contractPower,
  voltage,
  no_consumer: noConsumer,
  foreign_serial: foreignSerial,
};

export const allKinds: readonly Kind[] = Object.values(kinds);

export { text, type Kind } from "./kind.ts";
