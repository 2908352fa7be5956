import type { Responder } from "../core/conversation.ts";
import type { DeviceAddress } from "../core/driver.ts";
import { ProtocolError } from "../core/errors.ts";
import { obeyAlways, type DeviceOrder, type TakeOrder } from "../core/orders.ts";
import { readAtClock, writeAtClock } from "./clock.ts";

const longest = 1_024;
const simulatedSignal = 21;
const lines = (...each: readonly string[]): string => each.map((line) => `\r\n${line}\r\n`).join("");

/**
 * A simulated modem: it answers complete lines, with an echo, and obeys as `takeOrder` says; a refusal is
 * +CME ERROR: 3. `now` gives epoch seconds UTC.
 */
export function respondAt(
  { utcOffsetMinutes = 0 }: DeviceAddress,
  now: () => number,
  takeOrder: TakeOrder = obeyAlways,
): Responder {
  const memory = { pending: "", movedSec: 0, offsetMinutes: utcOffsetMinutes };
  const obey = (order: DeviceOrder, act: () => void): string => {
    const obedience = takeOrder(order);
    if (obedience === "refuse") return lines("+CME ERROR: 3");
    if (obedience === "obey") act();
    return lines("OK");
  };
  const clock = (): number => now() + memory.movedSec + memory.offsetMinutes * 60;
  const answer = (command: string): string => {
    if (command === "AT+CCLK?") return lines(`+CCLK: ${writeAtClock(clock(), memory.offsetMinutes)}`, "OK");
    if (command === "AT+CSQ") return lines(`+CSQ: ${String(simulatedSignal)},99`, "OK");
    if (command === "AT+CFUN=1,1") return obey({ kind: "restart" }, () => undefined);
    if (!command.startsWith("AT+CCLK=")) return lines("ERROR");
    try {
      const { local, offsetMinutes = memory.offsetMinutes } = readAtClock(
        `+CCLK: ${command.slice("AT+CCLK=".length)}`,
      );
      const seconds = local - offsetMinutes * 60 - (now() + memory.movedSec);
      return obey({ kind: "clock", seconds }, () => {
        memory.movedSec += seconds;
        memory.offsetMinutes = offsetMinutes;
      });
    } catch (error) {
      if (error instanceof ProtocolError) return lines("ERROR");
      throw error;
    }
  };
  return {
    receive(bytes) {
      memory.pending = (memory.pending + String.fromCharCode(...bytes)).slice(-longest);
      const parts = memory.pending.split("\r");
      memory.pending = parts.pop() ?? "";
      return parts.map((part) => {
        const command = part.trim();
        return new TextEncoder().encode(command === "" ? "" : `${command}\r${answer(command)}`);
      });
    },
  };
}
