import type { DeviceKeys, Driver, LineDriver, PulseScale } from "@metrum/protocols/core";
import type {
  CommandKey,
  FieldName,
  MessageTypeId,
  Narrowings,
  ResourceKey,
  TabKey,
} from "@metrum/vocabulary";

/** A tab of a model: its message types, and the fields that its chart draws (none: no chart). */
export interface Tab {
  readonly msgTypes: readonly MessageTypeId[];
  readonly chart_fields?: readonly FieldName[];
}

/**
 * A recorded dialogue or payload with the expected values; the walking test replays it. Hexadecimal;
 * `exchange` is pairs of [sent, received]; `source` is the origin of the bytes (document, or "simulator").
 */
export type Sample =
  | {
      readonly of: "now";
      readonly insideAddr: string;
      readonly deviceID?: string;
      /** Keys of the device, if it authenticates with them. */
      readonly keys?: DeviceKeys;
      readonly exchange: readonly (readonly [sent: string, received: string])[];
      readonly gives: Readonly<Partial<Record<FieldName, number | null>>>;
      readonly source: string;
    }
  | {
      readonly of: "archive";
      readonly insideAddr: string;
      readonly deviceID?: string;
      /** The requested range: epoch seconds UTC, `from` inclusive, `to` exclusive. */
      readonly request: { readonly msgType: MessageTypeId; readonly from: number; readonly to: number };
      readonly exchange: readonly (readonly [sent: string, received: string])[];
      /** Every reading of the answer by its slot. */
      readonly gives: readonly {
        readonly at: number;
        readonly values: Readonly<Partial<Record<FieldName, number | null>>>;
      }[];
      readonly source: string;
    }
  | {
      readonly of: "uplink";
      readonly fport: number;
      readonly payload: string;
      /** Pulse weight and starting value of the device that sent it. */
      readonly scale: PulseScale;
      readonly gives: Readonly<Partial<Record<FieldName, number | null>>>;
      readonly source: string;
    };

interface Common {
  readonly id: number;
  readonly brand: string;
  readonly title: string;
  /** Interfaces by their wire name. */
  readonly interfaces: readonly string[];
}

/**
 * How the decoding of a model was verified, in addition to the project's simulator, which covers every model.
 * document: bytes written by hand from the manufacturer's document; software: register addresses used by
 * another open program for this device; telegram: public recorded bytes of such a device, with the result of
 * other software; meter: a real device read with this driver.
 */
export const evidenceKinds = ["document", "software", "telegram", "meter"] as const;

/** One comparison with an independent source. In English, as cited. */
export interface Evidence {
  readonly kind: (typeof evidenceKinds)[number];
  /** Document and section, or repository, path and commit. */
  readonly source: string;
  /** Subject of the comparison. */
  readonly compared: string;
}

/** A metering device or sensor: its data sheet, rendered by the web app. */
export interface MeterModel extends Common {
  readonly kind: "meter";
  readonly resource: ResourceKey;
  /** `device_type_id` of the specification, an entry of `deviceTypes`. */
  readonly deviceTypeId: number;
  readonly driver: Driver;
  readonly tabs: Readonly<Partial<Record<TabKey, Tab>>>;
  readonly fields: readonly FieldName[];
  /** Supported commands, each with the limits of the model for its arguments. */
  readonly controls: Readonly<Partial<Record<CommandKey, Narrowings>>>;
  /** Largest value of the main counter before it starts again at zero. */
  readonly counterCapacity?: number;
  /** Hours at full load after which the counter is at its end, where they are fewer than are required of a meter. */
  readonly holdsHours?: number;
  /** The capacity of counters whose record has fewer digits than they need in a life. */
  readonly capacities?: Readonly<Partial<Record<FieldName, number>>>;
  /**
   * For a pulse counter: the capacity of its registers, and the counter to which the starting value applies.
   */
  readonly pulses?: { readonly capacity: number; readonly main: FieldName };
  /** Average power of half-hours is calculated from this counter if the meter stores no profile. */
  readonly profileFrom?: FieldName;
  /** The device continues from the reading of its dial: a starting value is neither requested nor shown. */
  readonly hasOwnStartingValue?: true;
  /** The device signs in by itself: it has its own login and password in addition to its keys. */
  readonly hasLogin?: true;
  readonly evidence?: readonly Evidence[];
  readonly samples: readonly Sample[];
}

/** The dialogue with a gateway itself, and its commands, each with the limits of the model for its arguments. */
export interface GatewayControl {
  readonly driver: LineDriver;
  readonly controls: Readonly<Partial<Record<CommandKey, Narrowings>>>;
  /** TCP port of its own, unless another one is set; absent: the line of its meters. */
  readonly port?: number;
  /** Document, or repository and path, of the protocol. In English, as cited. */
  readonly source: string;
}

/** A modem or converter that carries the lines of meters. */
export interface GatewayModel extends Common {
  readonly kind: "gateway";
  /** dial_in: the modem opens the connection and identifies itself. tcp_client: the server opens it. */
  readonly connection: "dial_in" | "tcp_client";
  /** How it is controlled; absent: its manufacturer has published no protocol for it. */
  readonly control?: GatewayControl;
  /** Bytes typed by an operator may be sent to it unchanged. */
  readonly hasRawPayload?: true;
  /** Its controls are offered independent of its settings. */
  readonly isAlwaysControlled?: true;
}

export interface BaseStationModel extends Common {
  readonly kind: "base_station";
}

export type Model = MeterModel | GatewayModel | BaseStationModel;

/** Checks the type at compile time and keeps the literal types. */
export function defineModel<const M extends Model>(model: M): M {
  return model;
}
