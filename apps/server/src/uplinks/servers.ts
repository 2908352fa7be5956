import { chirpStack } from "./chirpStack.ts";
import type { NetworkServer } from "./delivery.ts";
import { theThings } from "./theThings.ts";

/** Network servers that publish to our broker; the first that knows a topic reads it. */
export const servers: readonly NetworkServer[] = [chirpStack, theThings];
