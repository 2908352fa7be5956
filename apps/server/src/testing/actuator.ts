import { createServer, type AddressInfo, type Socket } from "node:net";
import { modelById } from "@metrum/catalogue";
import { ProtocolError, type CommandResult, type Conversation, type Step } from "@metrum/protocols/core";
import type { DeviceState } from "@metrum/vocabulary";
import { sql } from "kysely";
import type { TestApi } from "./api.ts";

/**
 * How a device behaves. obeys: does it and says so; refuses; lies: says so and does nothing; mute: does it
 * without an answer; deaf: neither; halves: carries out a part and refuses the rest.
 */
export type Manner = "obeys" | "refuses" | "halves" | "lies" | "mute" | "deaf";

/** A device with a relay on a line of its own, which counts what it has done. */
export interface Actuator {
  readonly port: number;
  /** Every actuation that it has carried out, in order. */
  readonly done: number[];
  /** Requests of any kind that have arrived. */
  requests: number;
  relay: 0 | 1;
  manner: Manner;
  /** The reply to the next state reading is missing. */
  hidesState: boolean;
  /** Its answers come so much later; what it is asked it does at once. */
  delayMs: number;
  /** Called with each request before it is carried out. */
  onRequest: () => void;
  readonly stop: () => Promise<void>;
}

const ops = { power: 1, read: 2, seal: 3 } as const;
const refused = 0xee;
/** Its code for a command that it has carried out in part. */
const halved = 9;

/** Starts a device: three bytes in (op, argument, sum), three out. */
export async function startActuator(): Promise<Actuator> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
    socket.on("data", (bytes) => {
      const answer = carryOut(actuator, bytes);
      if (answer) setTimeout(() => socket.write(answer), actuator.delayMs);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const actuator: Actuator = {
    port: (server.address() as AddressInfo).port,
    done: [],
    requests: 0,
    relay: 1,
    manner: "obeys",
    hidesState: false,
    delayMs: 0,
    onRequest: () => undefined,
    stop: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
  return actuator;
}

function carryOut(actuator: Actuator, [op, argument = 0]: Uint8Array): Uint8Array | undefined {
  actuator.requests++;
  actuator.onRequest();
  const { manner } = actuator;
  if (manner === "deaf") return undefined;
  if (op === ops.read) return actuator.hidesState ? undefined : Uint8Array.of(op, actuator.relay, 0);
  if (manner === "refuses") return Uint8Array.of(refused, 4, 0);
  if (manner === "halves") return Uint8Array.of(refused, halved, 0);
  if (manner !== "lies") {
    actuator.done.push(argument);
    if (op === ops.power) actuator.relay = argument === 1 ? 1 : 0;
  }
  return manner === "mute" ? undefined : Uint8Array.of(op ?? 0, argument, 0);
}

function* ask(op: number, argument: number, tries: number): Conversation<number> {
  const step: Step = {
    label: "bridge",
    send: Uint8Array.of(op, argument, 0),
    match: (received) => (received.length < 3 ? { state: "more" } : { state: "frame", length: 3 }),
    firstByteMs: 300,
    interByteMs: 100,
    tries,
  };
  const reply = yield step;
  if (reply[0] === refused)
    throw new ProtocolError("refused", "the device refuses", { detail: reply[1] ?? 0 });
  return reply[1] ?? 0;
}

function* change(op: number, argument: number): Conversation<CommandResult> {
  try {
    yield* ask(op, argument, 1);
    return { state: "done" };
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    const state = error.kind === "refused" ? "refused" : "unknown";
    return { state, reason: error, ...(error.detail === halved ? { partly: { relay_state: 1 } } : {}) };
  }
}

function* readState(): Conversation<DeviceState> {
  return { relay_state: (yield* ask(ops.read, 0, 1)) === 1 ? 1 : 0 };
}

/** Model of these devices: of its commands it gets those of the actuator. */
const modelId = 101;

/** Gives the model of the actuators their commands, in this process, until the returned function is called. */
export function offerActuator(): () => void {
  const model = modelById(modelId);
  if (model?.kind !== "meter") throw new Error("no meter model");
  const { controls, driver } = model;
  const { commands } = driver;
  Object.defineProperty(model, "controls", {
    configurable: true,
    enumerable: true,
    value: { ...controls, power: {}, relay_state: {}, set_plomb: {}, set_settings: {}, time_set: {} },
  });
  Object.defineProperty(driver, "commands", {
    configurable: true,
    enumerable: true,
    value: {
      ...commands,
      power: (_: unknown, { power }: { power: 0 | 1 }) => change(ops.power, power),
      set_plomb: () => change(ops.seal, 7),
      set_settings: (_: unknown, { sleep_time }: { sleep_time: number }) =>
        change(ops.seal, sleep_time % 256),
      time_set: () => change(ops.seal, 1),
      relay_state: () => readState(),
    },
  });
  return () => {
    Object.defineProperty(model, "controls", { configurable: true, enumerable: true, value: controls });
    Object.defineProperty(driver, "commands", { configurable: true, enumerable: true, value: commands });
  };
}

let serial = 0;

/** Registers an actuator as a device of the engineer's company. */
export async function registerActuator(api: TestApi, { port }: Pick<Actuator, "port">): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, name, "deviceID",
      inside_addr, properties)
    values (${api.companies.first}, ${modelId}, 'Actuator', 4, 3, 4, ${`Actuator ${String(++serial)}`},
      ${`actuator-${String(serial)}`}, '1', ${JSON.stringify({ host: "127.0.0.1", port })}::jsonb) returning id`.execute(
    api.services.database.system,
  );
  return rows[0]?.id ?? 0;
}
