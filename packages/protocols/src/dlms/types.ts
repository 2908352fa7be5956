/**
 * Shapes of DLMS/COSEM as both sides of the line use them: values, messages, frames.
 * Source: DLMS UA Green Book ed. 8 (APDUs 9.5, A-XDR 9.5, HDLC 8.4, wrapper 7.4) and Blue Book (OBIS, dates
 * 4.1.6); IEC 62056-46/-47/-53. Optional parts of a message are null when they were not sent. Byte strings
 * are views, not copies.
 */

/**
 * 12 byte date-time. A field is null where the wire holds FF (any); month FD/FE and day FD/FE keep their
 * meaning as numbers.
 */
export interface DlmsDateTime {
  readonly year: number | null;
  readonly month: number | null;
  readonly day: number | null;
  /** 1 Monday .. 7 Sunday. */
  readonly weekday: number | null;
  readonly hour: number | null;
  readonly minute: number | null;
  readonly second: number | null;
  readonly hundredths: number | null;
  /** Minutes to add to local time to get UTC (UTC+2 is -120); null: not specified (8000). */
  readonly deviation: number | null;
  /** Clock status bits; null: not specified (FF). */
  readonly status: number | null;
}
export type DlmsDate = Pick<DlmsDateTime, "year" | "month" | "day" | "weekday">;
export type DlmsTime = Pick<DlmsDateTime, "hour" | "minute" | "second" | "hundredths">;

/** Description of the elements of a compact array, sent once before them. Tags as in `dataTags`. */
export type TypeDescription =
  | { readonly kind: "array"; readonly count: number; readonly of: TypeDescription }
  | { readonly kind: "structure"; readonly of: readonly TypeDescription[] }
  | { readonly kind: "simple"; readonly tag: number };

/** A value on the wire. Scaler and unit are in other attributes and not applied. */
export type DlmsData =
  | { readonly type: "null" }
  | { readonly type: "dontCare" }
  | { readonly type: "array"; readonly items: readonly DlmsData[] }
  | { readonly type: "structure"; readonly items: readonly DlmsData[] }
  | {
      readonly type: "compactArray";
      readonly description: TypeDescription;
      readonly items: readonly DlmsData[];
    }
  | { readonly type: "bool"; readonly value: boolean }
  /** First bit of the string is the high bit of the first byte. */
  | { readonly type: "bitString"; readonly count: number; readonly bytes: Uint8Array }
  | { readonly type: DlmsNumberType; readonly value: number }
  | { readonly type: "int64" | "uint64"; readonly value: bigint }
  | { readonly type: "octets"; readonly value: Uint8Array }
  /** One character a byte (Latin-1). */
  | { readonly type: "visible"; readonly value: string }
  | { readonly type: "utf8"; readonly value: string }
  | { readonly type: "dateTime"; readonly value: DlmsDateTime }
  | { readonly type: "date"; readonly value: DlmsDate }
  | { readonly type: "time"; readonly value: DlmsTime };

/** `bcd` is the raw byte, 0..255. */
export type DlmsNumberType =
  | "int8"
  | "int16"
  | "int32"
  | "uint8"
  | "uint16"
  | "uint32"
  | "enum"
  | "bcd"
  | "float32"
  | "float64";

/** `obis` as six decimal numbers with dots, "1.0.1.8.0.255". */
export interface CosemAttribute {
  readonly classId: number;
  readonly obis: string;
  readonly attribute: number;
}
export interface CosemMethod {
  readonly classId: number;
  readonly obis: string;
  readonly method: number;
}

/**
 * Selective access as it is sent: selector and its parameters. `rangeAccess` and `entryAccess` build the two
 * of profiles.
 */
export interface SelectiveAccess {
  readonly selector: number;
  readonly parameters: DlmsData;
}
/** A column of a profile. `index` 0: the whole attribute. */
export interface CaptureObject extends CosemAttribute {
  readonly index: number;
}
/** Rows whose `restricting` column (the clock) lies between the two ends, both included; no columns: all. */
export interface RangeDescriptor {
  readonly restricting: CaptureObject;
  readonly from: DlmsData;
  readonly to: DlmsData;
  readonly columns: readonly CaptureObject[];
}
/** Rows by position, counted from 1; `toEntry` 0: to the last; `toColumn` 0: to the last. */
export interface EntryDescriptor {
  readonly fromEntry: number;
  readonly toEntry: number;
  readonly fromColumn: number;
  readonly toColumn: number;
}

export interface InvokeId {
  /** 0..15 */
  readonly id: number;
  readonly isConfirmed: boolean;
  readonly isHighPriority: boolean;
}
export interface LongInvokeId {
  /** 24 bits. */
  readonly id: number;
  readonly isSelfDescriptive: boolean;
  readonly isBreakingOnError: boolean;
  readonly isConfirmed: boolean;
  readonly isHighPriority: boolean;
}

/** A value, or the data-access-result in its place. */
export type AccessResult =
  | { readonly kind: "data"; readonly value: DlmsData }
  | { readonly kind: "error"; readonly code: number };

export interface AttributeRequest {
  readonly attribute: CosemAttribute;
  readonly access: SelectiveAccess | null;
}
/** A part of a value cut into blocks; the parts together are A-XDR data. */
export interface DataBlock {
  readonly isLast: boolean;
  readonly blockNumber: number;
  readonly data: Uint8Array;
}
export interface ActionResult {
  /** action-result: 0 success. */
  readonly result: number;
  readonly returned: AccessResult | null;
}

/** Names of the conformance bits that are set; see `conformanceBits`. */
export type ConformanceBit =
  | "generalProtection"
  | "generalBlockTransfer"
  | "read"
  | "write"
  | "unconfirmedWrite"
  | "deltaValueEncoding"
  | "attribute0Set"
  | "priorityManagement"
  | "attribute0Get"
  | "blockTransferGet"
  | "blockTransferSet"
  | "blockTransferAction"
  | "multipleReferences"
  | "informationReport"
  | "dataNotification"
  | "access"
  | "parameterizedAccess"
  | "get"
  | "set"
  | "selectiveAccess"
  | "eventNotification"
  | "action";
export type Conformance = ReadonlySet<ConformanceBit>;

export interface InitiateRequest {
  readonly type: "initiateRequest";
  readonly dedicatedKey: Uint8Array | null;
  readonly isResponseAllowed: boolean;
  readonly qualityOfService: number | null;
  readonly version: number;
  readonly conformance: Conformance;
  readonly maxPdu: number;
}
export interface InitiateResponse {
  readonly type: "initiateResponse";
  readonly qualityOfService: number | null;
  readonly version: number;
  readonly conformance: Conformance;
  readonly maxPdu: number;
  /** 7 with logical names. */
  readonly vaaName: number;
}
/** Three numbers of the standard's choices: 1 initiate; 6 initiate error; 1 version too low. */
export interface ConfirmedServiceError {
  readonly type: "confirmedServiceError";
  readonly service: number;
  readonly errorClass: number;
  readonly error: number;
}

/** Security control byte: suite 0..2 and the applied protection. */
export interface SecurityControl {
  readonly suite: number;
  readonly isAuthenticated: boolean;
  readonly isEncrypted: boolean;
  readonly isBroadcastKey: boolean;
  readonly isCompressed: boolean;
}
/**
 * A protected message. `glo`/`ded`: service-specific, `tag` tells the service (21, 28, C8..CF, D0..D7);
 * `generalGlo`/`generalDed`: DB/DC with the sender's system title. `content`: cipher text (or plain text) and
 * the tag of 12 bytes, if any.
 */
export interface CipheredApdu {
  readonly type: "glo" | "ded" | "generalGlo" | "generalDed";
  readonly tag: number;
  readonly systemTitle: Uint8Array | null;
  readonly security: SecurityControl;
  readonly counter: number;
  readonly content: Uint8Array;
}

export type UserInformation = InitiateRequest | InitiateResponse | ConfirmedServiceError | CipheredApdu;

/** 1 LN, 2 SN, 3 LN ciphered, 4 SN ciphered. */
export type ApplicationContext = number;
/** An element of AARQ or AARE without a name here, kept as received: BER tag and content. */
export interface BerPart {
  readonly tag: number;
  readonly content: Uint8Array;
}
interface AssociationParts {
  readonly context: ApplicationContext;
  /** Of the sender of this message: client in AARQ, server in AARE. */
  readonly systemTitle: Uint8Array | null;
  /** ACSE requirements with the authentication bit (8A/88 02 07 80) are there. */
  readonly hasAuthentication: boolean;
  /**
   * 0 none, 1 LLS, 2 HLS of the manufacturer, 3 MD5, 4 SHA-1, 5 GMAC, 6 SHA-256, 7 ECDSA; null when not sent.
   */
  readonly mechanism: number | null;
  /** Password or challenge of the sender. */
  readonly authenticationValue: Uint8Array | null;
  readonly userInformation: UserInformation | null;
  readonly other: readonly BerPart[];
}
export interface Aarq extends AssociationParts {
  readonly type: "aarq";
}
export interface Aare extends AssociationParts {
  readonly type: "aare";
  /** 0 accepted, 1 rejected for good, 2 rejected for now. */
  readonly result: number;
  /**
   * Source of the diagnostic: `user` (acse-service-user) 0 null, 1 no reason, 2 context name, 13
   * authentication failure, 14 authentication required.
   */
  readonly diagnosticSource: "user" | "provider";
  readonly diagnostic: number;
}
export interface Release {
  readonly type: "rlrq" | "rlre";
  /** 0 normal; null when not sent. */
  readonly reason: number | null;
  readonly userInformation: UserInformation | null;
}

interface WithInvoke {
  readonly invoke: InvokeId;
}
export type GetApdu = WithInvoke &
  (
    | ({ readonly type: "getRequest" } & AttributeRequest)
    | { readonly type: "getRequestNext"; readonly blockNumber: number }
    | { readonly type: "getRequestList"; readonly requests: readonly AttributeRequest[] }
    | { readonly type: "getResponse"; readonly result: AccessResult }
    | ({ readonly type: "getResponseBlock" } & DataBlock)
    /** The block that ends a transfer with a data-access-result. */
    | {
        readonly type: "getResponseBlockError";
        readonly isLast: boolean;
        readonly blockNumber: number;
        readonly error: number;
      }
    | { readonly type: "getResponseList"; readonly results: readonly AccessResult[] }
  );
/** `value` null: missing (not allowed by the standard, seen in the field). */
export type SetApdu = WithInvoke &
  (
    | ({ readonly type: "setRequest"; readonly value: DlmsData | null } & AttributeRequest)
    | ({ readonly type: "setRequestFirstBlock"; readonly block: DataBlock } & AttributeRequest)
    | { readonly type: "setRequestBlock"; readonly block: DataBlock }
    | {
        readonly type: "setRequestList";
        readonly requests: readonly AttributeRequest[];
        readonly values: readonly DlmsData[];
      }
    | {
        readonly type: "setRequestListFirstBlock";
        readonly requests: readonly AttributeRequest[];
        readonly block: DataBlock;
      }
    | { readonly type: "setResponse"; readonly result: number }
    | { readonly type: "setResponseBlock"; readonly blockNumber: number }
    | { readonly type: "setResponseLastBlock"; readonly result: number; readonly blockNumber: number }
    | {
        readonly type: "setResponseLastBlockList";
        readonly results: readonly number[];
        readonly blockNumber: number;
      }
    | { readonly type: "setResponseList"; readonly results: readonly number[] }
  );
export type ActionApdu = WithInvoke &
  (
    | { readonly type: "actionRequest"; readonly method: CosemMethod; readonly parameters: DlmsData | null }
    | { readonly type: "actionRequestNextBlock"; readonly blockNumber: number }
    | {
        readonly type: "actionRequestList";
        readonly methods: readonly CosemMethod[];
        readonly parameters: readonly DlmsData[];
      }
    | { readonly type: "actionRequestFirstBlock"; readonly method: CosemMethod; readonly block: DataBlock }
    | {
        readonly type: "actionRequestListFirstBlock";
        readonly methods: readonly CosemMethod[];
        readonly block: DataBlock;
      }
    | { readonly type: "actionRequestBlock"; readonly block: DataBlock }
    | ({ readonly type: "actionResponse" } & ActionResult)
    | { readonly type: "actionResponseBlock"; readonly block: DataBlock }
    | { readonly type: "actionResponseList"; readonly results: readonly ActionResult[] }
    | { readonly type: "actionResponseNextBlock"; readonly blockNumber: number }
  );
export interface EventNotification {
  readonly type: "eventNotification";
  /** The octets as sent, usually 12 of a date-time. */
  readonly time: Uint8Array | null;
  readonly attribute: CosemAttribute;
  readonly value: DlmsData;
}
export interface DataNotification {
  readonly type: "dataNotification";
  readonly invoke: LongInvokeId;
  /** The octets as sent, 12 of a date-time; null when empty. */
  readonly time: Uint8Array | null;
  /** Some manufacturers put the tag of an octet string (09) before its length here. */
  readonly isTimeTagged: boolean;
  readonly body: DlmsData;
}
export interface ExceptionResponse {
  readonly type: "exceptionResponse";
  readonly stateError: number;
  readonly serviceError: number;
  /** With service error 6 (invocation counter): the expected counter. */
  readonly counter: number | null;
}
export interface GeneralBlockTransfer {
  readonly type: "generalBlockTransfer";
  readonly isLast: boolean;
  readonly isStreaming: boolean;
  readonly window: number;
  readonly blockNumber: number;
  readonly acknowledged: number;
  readonly data: Uint8Array;
}

export type Apdu =
  | Aarq
  | Aare
  | Release
  | UserInformation
  | GetApdu
  | SetApdu
  | ActionApdu
  | EventNotification
  | DataNotification
  | ExceptionResponse
  | GeneralBlockTransfer;

/** Keys and counter of one direction. `systemTitle` is that of the sender of the message, 8 bytes. */
export interface SecurityContext {
  readonly encryptionKey: Uint8Array;
  /** Needed when authenticated. */
  readonly authenticationKey: Uint8Array | null;
  readonly systemTitle: Uint8Array;
}
