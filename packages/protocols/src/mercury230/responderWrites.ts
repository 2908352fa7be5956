import { ByteReader, ByteWriter } from "../core/bytes.ts";
import { ProtocolError } from "../core/errors.ts";
import { obeyAlways, type DeviceOrder } from "../core/orders.ts";
import { localNow, status, type Memory, type SimulatedMercury } from "./simulated.ts";
import { readBcd, readClock, readThree, writeThree } from "./values.ts";

/** Lengths of the arguments of the commands; only 0D is allowed at level 1. */
const argumentBytes: Readonly<Record<number, number>> = {
  0x0c: 8,
  0x0d: 3,
  0x16: 0,
  0x2c: 3,
  0x2d: 1,
  0x31: 1,
};

/** Steps of the limit in a kilowatt. */
const limitSteps = 100_000;

/** A change of the simulated meter, which obeys as its owner says. A refusal is status 2. */
export function write(
  simulated: SimulatedMercury,
  memory: Memory,
  [parameter = -1, ...given]: readonly number[],
): number[] {
  if (argumentBytes[parameter] !== given.length) return status(1);
  if (parameter !== 0x0d && memory.level < 2) return status(3);
  const obey = (order: DeviceOrder, act: () => void): number[] => {
    const obedience = (simulated.takeOrder ?? obeyAlways)(order);
    if (obedience === "obey") act();
    return status(obedience === "refuse" ? 2 : 0);
  };
  const reader = new ByteReader(Uint8Array.from(given));
  try {
    switch (parameter) {
      case 0x0c:
        return setClock(simulated, { memory, obey }, reader);
      case 0x0d:
        return correctClock(simulated, { memory, obey }, reader);
      case 0x16:
        return obey({ kind: "restart" }, () => (memory.level = 0));
      case 0x2c:
        return setLimit(memory, obey, readThree(reader).value);
      case 0x2d:
        return enableLimit(memory, obey, reader.u8() === 1);
      default: {
        const isOn = reader.u8() === 1;
        return obey({ kind: "power", isOn }, () => (memory.isLoadOn = isOn));
      }
    }
  } catch (error) {
    if (error instanceof ProtocolError) return status(1);
    throw error;
  }
}

type Obey = (order: DeviceOrder, act: () => void) => number[];

/** The limit is in force while it is enabled. */
function setLimit(memory: Memory, obey: Obey, limit: number): number[] {
  if (!memory.isLimitOn) {
    memory.limit = limit;
    return status(0);
  }
  return obey({ kind: "limit", limitKw: limit / limitSteps }, () => (memory.limit = limit));
}

function enableLimit(memory: Memory, obey: Obey, isOn: boolean): number[] {
  if (isOn === memory.isLimitOn) return status(0);
  const limitKw = isOn ? memory.limit / limitSteps : null;
  return obey({ kind: "limit", limitKw }, () => (memory.isLimitOn = isOn));
}

export function limitBytes(memory: Memory): Uint8Array {
  const writer = new ByteWriter(3);
  writeThree(writer, memory.isLimitOn ? memory.limit : 0);
  return writer.finish();
}

interface Clocked {
  readonly memory: Memory;
  readonly obey: Obey;
}

function setClock(simulated: SimulatedMercury, { memory, obey }: Clocked, reader: ByteReader): number[] {
  const seconds = readClock(reader).local - localNow(simulated, memory);
  return obey({ kind: "clock", seconds }, () => (memory.clockShift += seconds));
}

/** Within 4 minutes and once a day. */
function correctClock(simulated: SimulatedMercury, { memory, obey }: Clocked, reader: ByteReader): number[] {
  const local = localNow(simulated, memory);
  const day = Math.floor(local / 86_400);
  const [second = 0, minute = 0, hour = 0] = Array.from({ length: 3 }, () => readBcd(reader));
  const seconds = day * 86_400 + hour * 3600 + minute * 60 + second - local;
  if (memory.correctedDay === day) return status(4);
  if (Math.abs(seconds) > 240) return status(1);
  return obey({ kind: "clock", seconds }, () => {
    memory.correctedDay = day;
    memory.clockShift += seconds;
  });
}
