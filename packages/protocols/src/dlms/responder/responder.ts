import type { Responder } from "../../core/conversation.ts";
import { ProtocolError } from "../../core/errors.ts";
import { opticalSide } from "../link/opticalHead.ts";
import { serverAddress, transportOf } from "../options.ts";
import type { HdlcAddress } from "../link/frames.ts";
import { hdlcSide, wrapperSide } from "./framing.ts";
import type { SimulatedMeter } from "./meter.ts";
import { meterServer } from "./server.ts";

const defaultMaxInfo = 128;

/**
 * The meter's side of DLMS/COSEM, over HDLC or the wrapper, with all three kinds of authentication.
 * Source: Green Book, Blue Book. Values come from the load model; profiles need `history` and are empty
 * without it. Never throws; unknown messages are dropped, or answered with an exception.
 */
export function dlmsResponder(meter: SimulatedMeter): Responder {
  const server = meterServer(meter);
  const { options } = meter;
  const transport = transportOf(options, meter.device);
  const receive =
    transport === "wrapper"
      ? wrapperSide(server, options.server.logical)
      : hdlcSide({ server, address: addressOf(meter), maxInfo: meter.manners?.maxInfo ?? defaultMaxInfo });
  const { signOn } = meter.device;
  return signOn && transport === "hdlc" ? opticalSide({ receive }, meter.device, signOn) : { receive };
}

/** A meter with an invalid address cannot be reached; the client reports that. */
function addressOf({ options, device }: SimulatedMeter): HdlcAddress {
  try {
    return serverAddress(options.server, device);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return { upper: 0, lower: null, bytes: 1 };
  }
}
