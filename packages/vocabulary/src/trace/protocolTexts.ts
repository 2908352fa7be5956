import type { StepTable, TraceWords } from "./table.ts";
import { at, atSteps } from "./words/at.ts";
import { common, commonSteps } from "./words/common.ts";
import { dlms, dlmsSteps } from "./words/dlms.ts";
import { dlmsTypes } from "./words/dlmsTypes.ts";
import { iec62056, iec62056Steps } from "./words/iec62056.ts";
import { lorawan, lorawanSteps } from "./words/lorawan.ts";
import { mbus, mbusSteps } from "./words/mbus.ts";
import { mbusQuantities } from "./words/mbusQuantities.ts";
import { media } from "./words/media.ts";
import { mercury230, mercury230Steps } from "./words/mercury230.ts";
import { modbus, modbusSteps } from "./words/modbus.ts";
import { wmbus } from "./words/wmbus.ts";
import { wmbusLayers } from "./words/wmbusLayers.ts";

/** Texts of a protocol in three languages: words of the parts of its frames, and steps of its exchanges. */
interface ProtocolTexts {
  readonly words: TraceWords;
  readonly steps?: StepTable;
}

/** One line per protocol; no code is in two of them. Codes of steps are stored: they are never renamed. */
export const protocolTexts = [
  { words: common, steps: commonSteps },
  { words: modbus, steps: modbusSteps },
  { words: mbus, steps: mbusSteps },
  { words: mbusQuantities },
  { words: media },
  { words: wmbus },
  { words: wmbusLayers },
  { words: dlms, steps: dlmsSteps },
  { words: dlmsTypes },
  { words: mercury230, steps: mercury230Steps },
  { words: iec62056, steps: iec62056Steps },
  { words: lorawan, steps: lorawanSteps },
  { words: at, steps: atSteps },
] as const satisfies readonly ProtocolTexts[];
