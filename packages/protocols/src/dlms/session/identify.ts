import type { Conversation } from "../../core/conversation.ts";
import type { DeviceAddress, DeviceMetadata } from "../../core/driver.ts";
import { publicClient, type DlmsOptions } from "../options.ts";
import { limitsOf, linkOf } from "./proof.ts";
import { withSession, type Session } from "./session.ts";
import { textOf } from "../data/show.ts";

/** Objects that may contain the identification; the first readable one is used. Class 1, attribute 2. */
const places = {
  name: ["0.0.96.1.1.255"],
  serial: ["0.0.96.1.0.255"],
  version: ["1.0.0.2.0.255", "0.0.96.1.2.255"],
} as const satisfies Record<keyof DeviceMetadata, readonly string[]>;

/**
 * Type, serial number and firmware.
 * Source: Blue Book, 6.2 (device ids 0.0.96.1.x, active firmware identifier 1.0.0.2.0); that SPODES keeps the
 * type in 0.0.96.1.1 and the version of the metrological firmware in 0.0.96.1.2 is from experience, not
 * verified on a meter. Objects that are missing, hidden from this client, or not text are omitted. Errors:
 * ProtocolError of the dialogue.
 */
export function* readFacts(session: Session): Conversation<DeviceMetadata> {
  const facts: { -readonly [key in keyof DeviceMetadata]: DeviceMetadata[key] } = {};
  for (const key of ["name", "serial", "version"] as const)
    for (const obis of places[key]) {
      if (facts[key] !== undefined) break;
      const text = yield* readText(session, obis);
      if (text !== undefined) facts[key] = text;
    }
  return facts;
}

function* readText(session: Session, obis: string): Conversation<string | undefined> {
  const result = yield* session.get({ classId: 1, obis, attribute: 2 });
  if (result.kind !== "data") return undefined;
  const { value } = result;
  if (value.type === "visible" || value.type === "utf8") return value.value.trim() || undefined;
  return value.type === "octets" ? textOf(value.value)?.trim() || undefined : undefined;
}

/**
 * Identification available to the public client: client 16 without authentication, which every meter must
 * accept (Green Book, public client). Errors: ProtocolError of the association and the dialogue.
 */
export function* readPublicFacts(options: DlmsOptions, device: DeviceAddress): Conversation<DeviceMetadata> {
  const { fixedInvokeId, isReleased } = options;
  return yield* withSession(
    {
      link: linkOf(options, device, publicClient),
      limits: limitsOf(options),
      proof: { kind: "none" },
      ...(fixedInvokeId === undefined ? {} : { fixedInvokeId }),
      ...(isReleased === undefined ? {} : { isReleased }),
    },
    readFacts,
  );
}
