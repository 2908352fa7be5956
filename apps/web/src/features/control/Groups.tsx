import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "#lib/format";
import type { Block } from "./offered.ts";

interface Props {
  readonly blocks: readonly Block[];
  readonly hasBridge: boolean;
}

/** The groups of the shown commands and their number; a click goes to the first card of the group. */
export function Groups({ blocks, hasBridge }: Props) {
  const { t } = useTranslation("control");
  const { number } = useFormat();
  const [current, setCurrent] = useState<string>();
  const counts = new Map<string, number>();
  for (const { group, commands } of blocks) counts.set(group, (counts.get(group) ?? 0) + commands.length);
  if (hasBridge) counts.set("bridge", 1);
  return (
    <nav aria-label={t("groups")}>
      <ul className="control-groups">
        {[...counts].map(([group, count]) => (
          <li key={group}>
            <button
              type="button"
              aria-current={group === current ? "true" : undefined}
              onClick={({ currentTarget }) => {
                setCurrent(group);
                goTo(currentTarget, group);
              }}
            >
              <span>{t(`group.${group}`)}</span> <span>{number(count, 0)}</span>
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Scrolls to the first card of a group, and moves the focus there. */
function goTo(from: HTMLElement, group: string): void {
  const card = from.closest("dialog")?.querySelector<HTMLElement>(`[data-group="${group}"]`);
  card?.scrollIntoView({ block: "start" });
  card?.focus({ preventScroll: true });
}
