import type { RouteComponent } from "@tanstack/react-router";
import type { Session } from "#lib/session";
import type { IconName } from "#ui/icon";

/** A screen below `/cloud`: its address, who may see it, and where it is offered. Its title is `menu.<slug>` of the shell's texts. */
export interface Screen {
  /** Below `/cloud`, without a slash in front: "devices/data/$id". */
  readonly path: string;
  /** Rule of the contract that opens it; null opens it to everybody who is signed in. Who is denied goes to `/withoutAccess`. */
  readonly right: string | null;
  /** Text files to have before it is shown. */
  readonly texts: readonly string[];
  /** An entry of the main menu, shown while the module of this slug is active. */
  readonly menu?: { readonly icon: IconName; readonly group: "work" | "company" };
  /** An entry of the palette beside those of the menu. */
  readonly palette?: {
    readonly slug: string;
    readonly icon: IconName;
    readonly isShown?: (session: Session) => boolean;
  };
  /** Runs before it is shown and may lead elsewhere. */
  readonly load?: (params: Readonly<Record<string, string>>) => Promise<void> | void;
  /** Comes in a chunk of its own; without one the address leads elsewhere or its screen is not built yet. */
  readonly component?: RouteComponent;
}

export const screen = (declared: Screen): Screen => declared;
