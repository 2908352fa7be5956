import { commandMessages, pollResults, type DeviceCommand } from "@metrum/contract/headend";
import type { Language } from "@metrum/vocabulary";

/**
 * What is known of the outcome of a command, in words; empty: nothing beyond its state. The own words of a device or
 * driver stay as they were given, after words that say whose they are.
 */
export function saidOf(
  {
    state,
    message,
    message_code,
    result_code,
  }: Pick<DeviceCommand, "state" | "message" | "message_code" | "result_code">,
  language: Language,
): string {
  if (message_code !== null) return joined(commandMessages[message_code][language], message);
  const result = Object.values(pollResults).find(({ id }) => id === result_code);
  const isTold = message !== "" || state === "failed" || state === "unknown";
  const isKnown = result !== undefined && result.id !== pollResults.ok.id;
  return joined(isTold && isKnown ? result.title[language] : "", message);
}

const joined = (...parts: readonly string[]): string => parts.filter((part) => part !== "").join(": ");
