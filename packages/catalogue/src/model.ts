import type { DeviceKeys, Driver, PulseScale } from "@metrum/protocols";
import type {
  CommandKey,
  FieldName,
  MessageTypeId,
  Narrowings,
  ResourceKey,
  TabKey,
} from "@metrum/vocabulary";

/** A tab of a model: the message types it shows, and the fields that its chart draws (none: no chart). */
export interface Tab {
  readonly msgTypes: readonly MessageTypeId[];
  readonly chart_fields?: readonly FieldName[];
}

/**
 * A recorded dialogue or payload with the values it must give; the walking test replays it.
 * Hexadecimal; `exchange` is pairs of [sent, received]; `source` says where the bytes are from (document, or "simulator").
 */
export type Sample =
  | {
      readonly of: "now";
      readonly insideAddr: string;
      readonly deviceID?: string;
      /** Keys of the device, where it proves itself by them. */
      readonly keys?: DeviceKeys;
      readonly exchange: readonly (readonly [sent: string, received: string])[];
      readonly gives: Readonly<Partial<Record<FieldName, number | null>>>;
      readonly source: string;
    }
  | {
      readonly of: "archive";
      readonly insideAddr: string;
      readonly deviceID?: string;
      /** What was asked for: epoch seconds UTC, `from` inclusive, `to` exclusive. */
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
      /** Weight and start of the device that sent it. */
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
 * What the reading of a model can be checked with beside our own simulator, which reads every model. document: bytes made by hand from the
 * maker's document; software: register addresses that another open program uses for this device; telegram: public recorded bytes of such a
 * device, with what other software reads from them; meter: a real device that we have read.
 */
export const evidenceKinds = ["document", "software", "telegram", "meter"] as const;

/** One comparison with something that is not ours. In English, as it is cited. */
export interface Evidence {
  readonly kind: (typeof evidenceKinds)[number];
  /** Document and section, or repository, path and commit. */
  readonly source: string;
  /** What was compared. */
  readonly compared: string;
}

/** A metering device or sensor: its data sheet. Drawn by the web app as data. */
export interface MeterModel extends Common {
  readonly kind: "meter";
  readonly resource: ResourceKey;
  /** `device_type_id` of the specification, an entry of `deviceTypes`. */
  readonly deviceTypeId: number;
  readonly driver: Driver;
  readonly tabs: Readonly<Partial<Record<TabKey, Tab>>>;
  readonly fields: readonly FieldName[];
  /** Commands that are offered, each with what the model allows of its arguments. */
  readonly controls: Readonly<Partial<Record<CommandKey, Narrowings>>>;
  /** Largest value of the main counter before it starts again at zero. */
  readonly counterCapacity?: number;
  /** Of a device that counts pulses: what its registers hold, and the counter that the starting value belongs to. */
  readonly pulses?: { readonly capacity: number; readonly main: FieldName };
  /** Average power by half-hours is calculated from this counter when the meter keeps no profile of its own. */
  readonly profileFrom?: FieldName;
  /** The device counts on from the reading that its dial had: a starting value of ours is neither asked for nor shown. */
  readonly hasOwnStartingValue?: true;
  /** The device signs in by itself: it has a login and a password of its own beside its keys. */
  readonly hasLogin?: true;
  readonly evidence?: readonly Evidence[];
  readonly samples: readonly Sample[];
}

/** A modem or converter that carries the lines of meters. */
export interface GatewayModel extends Common {
  readonly kind: "gateway";
  /** dial_in: the modem opens the connection and names itself. tcp_client: we open it. */
  readonly connection: "dial_in" | "tcp_client";
  /** Bytes that an operator types may be sent to it as they are. */
  readonly hasRawPayload?: true;
  /** Its controls are offered whatever its settings say. */
  readonly isAlwaysControlled?: true;
}

export interface BaseStationModel extends Common {
  readonly kind: "base_station";
}

export type Model = MeterModel | GatewayModel | BaseStationModel;

/** Checks the shape at compile time and keeps the literal types. */
export function defineModel<const M extends Model>(model: M): M {
  return model;
}
