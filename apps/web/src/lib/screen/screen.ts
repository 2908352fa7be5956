import type { RouteComponent } from "@tanstack/react-router";
import type { Session } from "#lib/session";
import type { IconName } from "#ui/icon";

/**
 * A screen below `/cloud`: its address, required right, and menu entries. Its title is `menu.<slug>` of the
 * shell's texts.
 */
export interface Screen {
  /** Below `/cloud`, without a leading slash: "devices/data/$id". */
  readonly path: string;
  /**
   * Rule of the contract that admits users; null admits every signed-in user. Others are redirected to
   * `/withoutAccess`.
   */
  readonly right: string | null;
  /** Text files to load before it is shown. */
  readonly texts: readonly string[];
  /** An entry of the main menu, shown while the module of this slug is active. */
  readonly menu?: { readonly icon: IconName; readonly group: "work" | "company" };
  /** The entry of the menu that it belongs to; by default the first part of its path. */
  readonly under?: string;
  /** An entry of the palette in addition to those of the menu. */
  readonly palette?: {
    readonly slug: string;
    readonly icon: IconName;
    readonly isShown?: (session: Session) => boolean;
  };
  /** Runs before it is shown and may redirect. */
  readonly load?: (params: Readonly<Record<string, string>>) => Promise<void> | void;
  /**
   * Requests the data that it shows first: its chunk and texts are still loading then, and on the first page of
   * a visit also the rights, so that the server may refuse.
   */
  readonly start?: (
    params: Readonly<Record<string, string>>,
    search: Readonly<Record<string, unknown>>,
  ) => Promise<void>;
  /** A lazy chunk; absent if the address redirects or its screen is not built yet. */
  readonly component?: RouteComponent;
}

export const screen = (declared: Screen): Screen => declared;
