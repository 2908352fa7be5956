import type { DeviceId, FieldName } from "@metrum/vocabulary";
import type { Ctx } from "#core";
import type { LossStep } from "../growth/index.ts";
import type { RatioFrom } from "./deviceStore.ts";

/** An interval in which a device measured a point; `to` exclusive, null: still. */
export interface MeasuredBy {
  readonly deviceId: DeviceId;
  readonly from: number;
  readonly to: number | null;
  /** Readings of its registers at both ends, as far as they are known. */
  readonly opening: Readonly<Partial<Record<FieldName, number>>>;
  readonly closing: Readonly<Partial<Record<FieldName, number>>>;
}

/** What is agreed for a point, as far as tables show it. */
export interface PointTerms {
  readonly losses: readonly LossStep[];
  /** 0: not known. */
  readonly voltageLevel: number;
}

/** What accounting knows about a point, needed to show its messages. */
export interface MeasuredPoint extends PointTerms {
  /** By time. */
  readonly devices: readonly MeasuredBy[];
  readonly ratios: readonly RatioFrom[];
}

/** Accounting points as the messages see them: a domain above registers how they are found. */
export interface PointSource {
  /** A point by an id from outside. Problem: not_found. */
  readonly point: (ctx: Ctx, id: number) => Promise<MeasuredPoint>;
  /** Losses and level of the point that a device measures now. */
  readonly ofDevice: (ctx: Ctx, deviceId: DeviceId) => Promise<PointTerms>;
}

declare module "#core" {
  interface Parts {
    readonly pointSource: PointSource;
  }
}
