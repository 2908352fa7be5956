import { ByteWriter } from "../../core/bytes.ts";
import { ProtocolError } from "../../core/errors.ts";
import { decodeApdu, encodeApdu } from "../apdu/apdu.ts";
import { writeLength } from "../data/axdr.ts";
import { decodeData } from "../data/data.ts";
import { encodeData } from "../data/dataEncode.ts";
import { controllerOf } from "../options.ts";
import type {
  AccessResult,
  Apdu,
  AttributeRequest,
  CosemMethod,
  DataBlock,
  DlmsData,
  InvokeId,
} from "../types.ts";
import {
  admit,
  answerProof,
  openRequest,
  sealReply,
  vaultOf,
  type Association,
  type Vault,
} from "./association.ts";
import type { SimulatedMeter } from "./meter.ts";
import { isCounter, meterObjects, type MeterObjects } from "./objects.ts";
import { results } from "./results.ts";

/** The application layer of the meter: a message in, its answer out. Never throws. */
export interface MeterServer {
  readonly receive: (bytes: Uint8Array, client: number) => Uint8Array | undefined;
  /** The link was closed, and with it the association. */
  readonly reset: () => void;
}

/** A value sent or received in blocks. */
interface Transfer {
  invoke: number;
  out: Uint8Array;
  at: number;
  block: number;
  incoming: ByteWriter;
  finish: ((value: DlmsData) => Apdu) | undefined;
}

interface Context {
  readonly meter: SimulatedMeter;
  readonly objects: MeterObjects;
  readonly transfer: Transfer;
  readonly association: Association;
}

/** Room for header and protection around a block. */
const overheadBytes = 48;
const exception = (stateError: number, serviceError: number, counter: number | null = null): Apdu => ({
  type: "exceptionResponse",
  stateError,
  serviceError,
  counter,
});
const notAllowed = exception(1, 1);

/**
 * Association, GET, SET, ACTION with lists, blocks and selective access, for one client at a time.
 * Source: Green Book 9.3 and 9.4. Ciphered messages are answered in the form of the request; a replayed
 * counter gets exception 6. Results of methods are never sent in blocks, because they are short.
 */
export function meterServer(meter: SimulatedMeter): MeterServer {
  const vault = vaultOf(meter);
  const objects = meterObjects(meter, () => vault?.heard ?? 0);
  const held: { association: Association | null; transfer: Transfer } = {
    association: null,
    transfer: noTransfer(),
  };

  const plainAnswer = (apdu: Apdu, client: number): Apdu | undefined => {
    const { association } = held;
    if (apdu.type === "aarq") {
      const admission = admit(meter, vault, { aarq: apdu, client });
      held.association = admission.association;
      held.transfer = noTransfer();
      return admission.aare;
    }
    if (apdu.type === "rlrq") {
      if (association?.client === client && !mayRelease(vault, association, apdu)) return notAllowed;
      held.association = null;
      return { type: "rlre", reason: 0, userInformation: null };
    }
    if (association?.client !== client || association.cipher) return notAllowed;
    return serve({ meter, objects, transfer: held.transfer, association }, apdu);
  };

  const answer = (bytes: Uint8Array, client: number): Uint8Array | undefined => {
    const apdu = decodeApdu(bytes);
    const { association } = held;
    if (apdu.type !== "glo" && apdu.type !== "generalGlo") {
      const reply = plainAnswer(apdu, client);
      return reply && encodeApdu(reply);
    }
    if (!vault || association?.client !== client || !association.cipher) return encodeApdu(notAllowed);
    const plain = openRequest(vault, apdu, association.cipher.clientTitle);
    if (plain === "repeated") return encodeApdu(exception(2, 6, vault.heard + 1));
    const request = decodeApdu(plain);
    const reply = association.isProven
      ? serve({ meter, objects, transfer: held.transfer, association }, request)
      : prove(request, (proof) => answerProof(vault, association, proof));
    return reply.type === "exceptionResponse"
      ? encodeApdu(reply)
      : encodeApdu(sealReply(vault, reply, apdu.type));
  };

  return {
    receive(bytes, client) {
      try {
        return answer(bytes, client);
      } catch (error) {
        if (!(error instanceof ProtocolError)) throw error;
        return encodeApdu(error.kind === "bad_password" ? exception(2, 5) : exception(1, 2));
      }
    },
    reset() {
      held.association = null;
    },
  };
}

/** A ciphered association is released by who has its keys. */
function mayRelease(
  vault: Vault | undefined,
  { cipher, isProven }: Association,
  { userInformation: given }: Extract<Apdu, { type: "rlrq" | "rlre" }>,
): boolean {
  if (!cipher || !isProven) return true;
  if (!vault || (given?.type !== "glo" && given?.type !== "generalGlo")) return false;
  return openRequest(vault, given, cipher.clientTitle) !== "repeated";
}

const noTransfer = (): Transfer => ({
  invoke: -1,
  out: new Uint8Array(0),
  at: 0,
  block: 0,
  incoming: new ByteWriter(),
  finish: undefined,
});

function prove(request: Apdu, answer: (proof: Uint8Array) => Uint8Array | undefined): Apdu {
  if (request.type !== "actionRequest" || request.method.classId !== 15 || request.method.method !== 1)
    return notAllowed;
  const { invoke, parameters } = request;
  const proof = parameters?.type === "octets" ? answer(parameters.value) : undefined;
  return {
    type: "actionResponse",
    invoke,
    result: proof ? results.done : results.denied,
    returned: proof ? { kind: "data", value: { type: "octets", value: proof } } : null,
  };
}

function serve(context: Context, apdu: Apdu): Apdu {
  const { transfer } = context;
  switch (apdu.type) {
    case "getRequest":
      return answerGet(context, apdu.invoke, readOne(context, apdu));
    case "getRequestList":
      return answerList(
        context,
        apdu.invoke,
        apdu.requests.map((each) => readOne(context, each)),
      );
    case "getRequestNext":
      return apdu.invoke.id === transfer.invoke &&
        apdu.blockNumber === transfer.block &&
        transfer.at < transfer.out.length
        ? nextBlock(context, apdu.invoke)
        : {
            type: "getResponseBlockError",
            invoke: apdu.invoke,
            isLast: true,
            blockNumber: apdu.blockNumber,
            error: 19,
          };
    case "setRequest":
      return { type: "setResponse", invoke: apdu.invoke, result: writeOne(context, apdu, apdu.value) };
    case "setRequestFirstBlock":
      return takeBlock(context, { ...apdu, kind: "set" }, (value) => ({
        type: "setResponseLastBlock",
        invoke: apdu.invoke,
        result: writeOne(context, apdu, value),
        blockNumber: transfer.block,
      }));
    case "setRequestBlock":
      return takeBlock(context, { ...apdu, kind: "set" });
    case "actionRequestBlock":
      return takeBlock(context, { ...apdu, kind: "action" });
    case "actionRequest":
      return callOne(context, apdu.invoke, { method: apdu.method, parameters: apdu.parameters });
    case "actionRequestFirstBlock":
      return takeBlock(context, { ...apdu, kind: "action" }, (parameters) =>
        callOne(context, apdu.invoke, { method: apdu.method, parameters }),
      );
    default:
      return exception(1, 2);
  }
}

/** The public client may read the identification, the clock and the counter. */
const publicNames: readonly string[] = ["0.0.42.0.0.255", "0.0.96.1.0.255", "0.0.1.0.0.255"];

const mayChange = ({ meter, association }: Context): boolean =>
  association.client === controllerOf(meter.options).client;

const isOpen = (context: Context, { attribute }: AttributeRequest): boolean =>
  mayChange(context) ||
  context.association.client === context.meter.options.client ||
  publicNames.includes(attribute.obis) ||
  isCounter(context.meter, attribute);

function readOne(context: Context, request: AttributeRequest): AccessResult {
  if (!isOpen(context, request)) return { kind: "error", code: results.denied };
  return context.objects.read(request.attribute, request.access);
}

function writeOne(context: Context, request: AttributeRequest, value: DlmsData | null): number {
  if (!mayChange(context)) return results.denied;
  return value === null ? results.typeUnmatched : context.objects.write(request.attribute, value);
}

function callOne(
  context: Context,
  invoke: InvokeId,
  { method, parameters }: { method: CosemMethod; parameters: DlmsData | null },
): Apdu {
  const result = mayChange(context) ? context.objects.call(method, parameters) : results.denied;
  return { type: "actionResponse", invoke, result, returned: null };
}

const roomOf = ({ meter, association }: Context): number => {
  const own = meter.manners?.maxPdu ?? 1024;
  const theirs = association.maxPdu === 0 ? own : association.maxPdu;
  return Math.max(16, Math.min(own, theirs) - overheadBytes);
};

function answerGet(context: Context, invoke: InvokeId, result: AccessResult): Apdu {
  const bytes = result.kind === "data" ? encodeData(result.value) : new Uint8Array(0);
  if (bytes.length <= roomOf(context)) return { type: "getResponse", invoke, result };
  return firstBlock(context, invoke, bytes);
}

function answerList(context: Context, invoke: InvokeId, found: readonly AccessResult[]): Apdu {
  const writer = new ByteWriter();
  writeLength(writer, found.length);
  for (const result of found)
    if (result.kind === "data") writer.u8(0).raw(encodeData(result.value));
    else writer.u8(1).u8(result.code);
  if (writer.length <= roomOf(context)) return { type: "getResponseList", invoke, results: found };
  return firstBlock(context, invoke, writer.finish());
}

function firstBlock(context: Context, invoke: InvokeId, bytes: Uint8Array): Apdu {
  Object.assign(context.transfer, { ...noTransfer(), invoke: invoke.id, out: bytes });
  return nextBlock(context, invoke);
}

function nextBlock(context: Context, invoke: InvokeId): Apdu {
  const { transfer } = context;
  const data = transfer.out.subarray(transfer.at, transfer.at + roomOf(context));
  transfer.at += data.length;
  transfer.block += 1;
  const isLast = transfer.at >= transfer.out.length;
  return { type: "getResponseBlock", invoke, isLast, blockNumber: transfer.block, data };
}

/** More than any value that is written here. */
const maxIncoming = 0x10000;

/** A block of a received value; `finish` is given with the first one. */
function takeBlock(
  { transfer }: Context,
  { invoke, block, kind }: { invoke: InvokeId; block: DataBlock; kind: "set" | "action" },
  finish?: (value: DlmsData) => Apdu,
): Apdu {
  if (finish) Object.assign(transfer, { ...noTransfer(), invoke: invoke.id, finish });
  const whole = transfer.finish;
  const isNext = transfer.invoke === invoke.id && block.blockNumber === transfer.block + 1;
  if (!isNext || !whole || transfer.incoming.length + block.data.length > maxIncoming) return exception(1, 3);
  transfer.incoming.raw(block.data);
  transfer.block = block.blockNumber;
  if (block.isLast) return whole(decodeData(transfer.incoming.finish()));
  const type = kind === "set" ? "setResponseBlock" : "actionResponseNextBlock";
  return { type, invoke, blockNumber: block.blockNumber };
}
