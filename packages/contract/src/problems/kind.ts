import type { Text } from "@metrum/vocabulary";

export interface ProblemKind {
  readonly status: number;
  readonly text: Text;
}

export type ProblemKinds = Readonly<Record<string, ProblemKind>>;

export const kind = (status: number, ru: string, en: string, mn: string): ProblemKind => ({
  status,
  text: { ru, en, mn },
});
