import { useSyncExternalStore } from "react";
import { design, type Design } from "./design.ts";

/** Branding of this host; the default one until it is loaded. */
export function useDesign(): Design {
  return useSyncExternalStore(design.subscribe, design.get);
}
