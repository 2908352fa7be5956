import { models } from "@metrum/catalogue";
import {
  ByteWriter,
  isReservation,
  ProtocolError,
  type Conversation,
  type DeviceOrder,
  type LineDriver,
  type Responder,
  type Step,
} from "@metrum/protocols/core";
import {
  argumentsSchema,
  commandOf,
  narrowedFields,
  type Command,
  type CommandField,
  type CommandKey,
  type Narrowings,
} from "@metrum/vocabulary";
import { expect, test } from "vitest";
import type { Clock, Services } from "#core";
import { LineLost } from "#headend/channels";
import type { Session } from "#headend/dialogue";
import { spokenDriver } from "#headend/exchanges";
import { carryOut } from "./execution/carryOut.ts";
import type { OpenCommand } from "./openStore.ts";

const at = 1_795_251_600;
const keys = {
  encryption: "000102030405060708090a0b0c0d0e0f",
  authentication: "d0d1d2d3d4d5d6d7d8d9dadbdcdddedf",
};

/** What happens to the answers from one request on; the device has received each request. */
type Fault = "mute" | "cut" | "garbled";

/** A clock on which every pause is over at once. */
function hastyClock(): Clock {
  let ms = 0;
  return {
    now: () => at,
    nowMs: () => at * 1000,
    monotonicMs: () => (ms += 10_000),
    after: () => () => undefined,
  };
}
const services = { clock: hastyClock(), log: { error: () => undefined } } as unknown as Services;

/** The text of a valid argument, where there is only one to choose from. */
function valueOf(field: CommandField): unknown {
  switch (field.kind) {
    case "number":
      return field.minimum;
    case "choice":
      return field.choices[0]?.value;
    case "switch":
      return true;
    case "flags":
      return 1;
    case "time":
      return "12:00";
    case "date":
      return "2028-02-29";
    case "datetime":
      return "2028-02-29 12:00";
    case "bytes":
      return "01".repeat(Math.max(1, Math.ceil(field.minimum / 2)));
    case "list":
      return Array.from({ length: Math.max(1, field.minimum) }, (_, n) =>
        field.of === "time" ? `0${String(n % 10)}:00` : `01-0${String(1 + (n % 9))}`,
      );
    case "group":
      return valuesOf(field.fields);
  }
}

function valuesOf(fields: readonly CommandField[], isOneOnly = false): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  for (const field of fields) {
    const { dependsOn } = field;
    const isAllowed = !dependsOn || dependsOn.values.some((value) => value === given[dependsOn.key]);
    const isWanted = field.isRequired || (isOneOnly && Object.keys(given).length === 0);
    if (isAllowed && isWanted) given[field.key] = valueOf(field);
  }
  return given;
}

/** Undefined: a value that is no list of fields. */
function givenTo(command: Command, by: Narrowings): Record<string, unknown> | undefined {
  if ("value" in command.arguments) return undefined;
  return valuesOf(narrowedFields(command.arguments, by), command.isOneOnly === true);
}

interface Told {
  readonly responder: Responder;
  readonly fault: Fault;
  /** The first request whose answer suffers. */
  readonly from: number;
}

/** A session on such a line, with the retries of the runner. */
function aSession(driver: LineDriver, { responder, fault, from }: Told): Session {
  let writes = 0;
  const answerTo = (step: Step): Uint8Array => {
    writes += 1;
    const answer = Uint8Array.from(responder.receive(step.send).flatMap((part) => [...part]));
    if (writes < from || !step.match) return answer;
    if (fault === "cut") throw new LineLost("cut");
    if (fault === "mute") return new Uint8Array(0);
    return answer.map((byte, n) => (n === answer.length - 1 ? byte ^ 0x55 : byte));
  };
  const ask = (step: Step): Uint8Array => {
    let failure = new ProtocolError("timeout", "no answer");
    for (let tried = 1; tried <= step.tries; tried++) {
      try {
        return wholeReply(step, answerTo(step));
      } catch (error) {
        if (!(error instanceof ProtocolError)) throw error;
        failure = error;
      }
    }
    throw failure;
  };
  const talk = async <Result>(
    begin: (driver: LineDriver, address: never) => Conversation<Result>,
    before?: () => Promise<void>,
  ): Promise<Result> => {
    await before?.();
    return hold(begin(driver, addressOf(driver) as never), ask);
  };
  const device = { id: 1, zone: "UTC" };
  return { isOpen: true, driver, device, writes: () => writes, talk } as unknown as Session;
}

function hold<Result>(conversation: Conversation<Result>, ask: (step: Step) => Uint8Array): Result {
  let turn = conversation.next();
  while (!turn.done) {
    const { value } = turn;
    try {
      const reply = isReservation(value) ? new ByteWriter(4).u32be(value.atLeast).finish() : ask(value);
      turn = conversation.next(reply);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      turn = conversation.throw(error);
    }
  }
  return turn.value;
}

function wholeReply(step: Step, received: Uint8Array): Uint8Array {
  if (!step.match) return new Uint8Array(0);
  const match = step.match(received);
  const skip = match.skip ?? 0;
  if (match.state === "frame") return received.subarray(skip, skip + match.length);
  if (step.endsBySilence === true && received.length > skip) return received.subarray(skip);
  throw new ProtocolError("timeout", "no whole answer");
}

const addressOf = (driver: LineDriver) => ({
  insideAddr: "1",
  deviceID: "12345678",
  utcOffsetMinutes: 0,
  ...(driver.secrets?.authentication === undefined ? {} : { keys }),
});

interface Changing {
  readonly model: string;
  readonly driver: LineDriver;
  readonly command: Command & { readonly changesDevice: true };
  readonly given: Record<string, unknown> | undefined;
}

/** Every function that changes a device, of every model with a line. */
const changing: readonly Changing[] = models.flatMap((model) => {
  const driver = spokenDriver(model.id);
  if (!driver) return [];
  const of = model.kind === "gateway" ? model.control : model;
  const controls: Readonly<Partial<Record<CommandKey, Narrowings>>> =
    of && "controls" in of ? of.controls : {};
  return Object.keys(driver.commands).flatMap((key): Changing[] => {
    const command = commandOf(key);
    if (!command?.changesDevice) return [];
    const by = controls[key as CommandKey] ?? {};
    return [{ model: `${model.brand} ${model.title}`, driver, command, given: givenTo(command, by) }];
  });
});

async function run({ driver, command, given }: Changing, fault: Fault, from: number) {
  const orders: DeviceOrder[] = [];
  const responder = driver.respond(
    addressOf(driver),
    () => 20,
    () => at,
    undefined,
    (order) => {
      orders.push(order);
      return "obey";
    },
  );
  // Without functions that read a state the outcome is that of the command alone.
  const { [command.key as keyof typeof driver.commands]: own } = driver.commands;
  const bare: LineDriver = { ...driver, commands: { [command.key]: own } };
  const session = aSession(bare, { responder, fault, from });
  const open = {
    key: command.key,
    arguments: given ?? 1,
    createdAt: at,
    deviceId: 1,
  } as unknown as OpenCommand;
  const outcome = await carryOut(services, session, open, () => Promise.resolve(true));
  return { outcome, orders, writes: session.writes() };
}

const kindOf = (order: DeviceOrder): string => (order.kind === "set" ? order.name : order.kind);

/** Commands whose dialogues are alike: of one protocol, with as many requests and the same orders. */
const classOf = ({ driver, command }: Changing, writes: number, orders: readonly DeviceOrder[]): string =>
  [driver.protocol, command.key, writes, ...orders.map(kindOf)].join(" ");

test("CTRL-108 no command of any model is tried again after its first byte, on a mute, a cut and a garbled line", async () => {
  const walked = new Set<string>();
  const classes = new Set<string>();
  const wrong: string[] = [];
  for (const each of changing.filter(({ command }) => !command.isRepeatable)) {
    const { command, given, model } = each;
    if (given) expect(argumentsSchema(command).safeParse(given).success, command.key).toBe(true);
    const sound = await run(each, "mute", Infinity);
    const name = classOf(each, sound.writes, sound.orders);
    if (classes.has(name)) continue;
    classes.add(name);
    for (const fault of ["mute", "cut", "garbled"] as const)
      for (let from = 1; from <= sound.writes; from++) {
        const { outcome, orders } = await run(each, fault, from);
        walked.add(command.key);
        const kinds = orders.map(kindOf);
        const isTwice = new Set(kinds).size < kinds.length;
        if (outcome.state === "again" || outcome.state === "left" || isTwice)
          wrong.push(
            `${model} ${command.key}: ${fault} from ${String(from)}: ${outcome.state}, ${kinds.join()}`,
          );
      }
  }

  expect(wrong).toEqual([]);
  const wanted = changing.flatMap(({ command }) => (command.isRepeatable ? [] : [command.key]));
  expect([...walked].sort()).toEqual([...new Set(wanted)].sort());
  expect(classes.size).toBeGreaterThan(5);
});
