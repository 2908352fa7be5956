import type { Ctx, Recording } from "#core";

/** What a decision about a period needs: of a call, or of the demonstration. */
export type Acting = Recording & Pick<Ctx, "clock" | "database">;
