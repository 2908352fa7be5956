import { ProtocolError, type Conversation, type DeviceMetadata } from "@metrum/protocols/core";
import type { Services } from "#core";
import { LineElsewhere, LineLent, LineLost, LinesClosing } from "#headend/channels";
import type { Session } from "#headend/dialogue";
import { noteSerials, takeSerialTurn } from "#metering/device-state";

const daySec = 86_400;

function* unnamed(): Conversation<DeviceMetadata> {
  yield* [];
  return {};
}

/**
 * Requests the serial number of a meter once a day, after a scheduled poll: another meter may stand at its address.
 * A failure is in the exchange log and no failure of the poll.
 */
export async function readSerial(
  { database: { system } }: Services,
  { device, driver, talk }: Session,
  at: number,
): Promise<void> {
  if (!driver.namesSerial) return;
  if (!(await takeSerialTurn(system, { deviceId: device.id, at, before: at - daySec }))) return;
  try {
    const { serial } = await talk((own, address) => own.identify?.(address, "own") ?? unnamed());
    if (serial !== undefined) await noteSerials(system, [{ deviceId: device.id, serial, at }]);
  } catch (error) {
    const isOfLine = [ProtocolError, LineElsewhere, LinesClosing, LineLent, LineLost].some(
      (kind) => error instanceof kind,
    );
    if (!isOfLine) throw error;
  }
}
