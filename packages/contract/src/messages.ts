import { coreMessages } from "./messages/core.ts";
import { accessMessages } from "./messages/access.ts";
import { meteringMessages } from "./messages/metering.ts";
import { headendMessages } from "./messages/headend.ts";
import { accountingMessages } from "./messages/accounting.ts";
import { platformMessages } from "./messages/platform.ts";
import type { Messages } from "./messages/text.ts";

/** Success messages of the server, by code. */
export const messages = {
  ...coreMessages,
  ...accessMessages,
  ...meteringMessages,
  ...headendMessages,
  ...accountingMessages,
  ...platformMessages,
} as const satisfies Messages;

export type MessageCode = keyof typeof messages;
