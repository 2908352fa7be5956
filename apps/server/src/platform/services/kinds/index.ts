import { almatySu } from "./almatySu.ts";
import type { ServiceKind } from "./kind.ts";

const plain: ServiceKind = { isConfigured: () => true, checkSettings: (given) => given };

/** Services with an implementation, by their code in the catalogue. A new export is added here. */
const kinds: ReadonlyMap<string, ServiceKind> = new Map([["almaty_su", almatySu]]);

export function kindOf(code: string): ServiceKind {
  return kinds.get(code) ?? plain;
}
