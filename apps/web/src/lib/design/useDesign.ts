import { useSyncExternalStore } from "react";
import { design, type Design } from "./design.ts";

/** The design of this host; the plain one until it is known. */
export function useDesign(): Design {
  return useSyncExternalStore(design.subscribe, design.get);
}
