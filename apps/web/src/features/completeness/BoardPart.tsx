import { useState } from "react";
import { useTranslation } from "react-i18next";
import { reasonOf, useCall } from "#lib/call";
import { useSession } from "#lib/session";
import { Button } from "#ui/button";
import { Skeleton } from "#ui/skeleton";
import { EmptyState, ErrorState } from "#ui/states";
import { BoardGrid } from "./BoardGrid.tsx";
import { callOf, pageInput, type Selection, type Totals, type View } from "./completeness.ts";
import { Legend } from "./Legend.tsx";
import type { Cell } from "./moves.ts";
import { Reasons } from "./Reasons.tsx";
import { RunningTasks } from "./RunningTasks.tsx";
import { Selected } from "./Selected.tsx";
import { askingOf, useAsked } from "./useAsked.ts";
import { useBoard, useSeenMissing } from "./useBoard.ts";
import { useDrawnBoard } from "./useDrawnBoard.ts";

interface Props {
  readonly view: View;
  readonly totals: Totals | undefined;
  /** Undefined without a filter. */
  readonly onReset: (() => void) | undefined;
}

/** The board of one view, and its side panel: the selection, running requests, reasons. */
export function BoardPart({ view, totals, onReset }: Props) {
  const { t } = useTranslation(["completeness", "grid"]);
  const { zone } = useSession();
  const [selection, setSelection] = useState<Selection | null>(null);
  const [cursor, setCursor] = useState<Cell | null>(null);
  const first = useCall(callOf(view.type), pageInput(view, 0, zone), { isQuiet: true });
  const total = first.data?.devices.total ?? 0;
  const drawn = useDrawnBoard(total);
  const board = useBoard(view, [...drawn.indexes, ...selectedIndexes(selection)]);
  const seenMissing = useSeenMissing();
  const asked = useAsked();
  const onSelect = (next: Selection | null, at: Cell | null) => {
    setSelection(next);
    setCursor(at);
  };
  if (first.isPending) return <Skeleton height={420} />;
  if (!first.data)
    return (
      <ErrorState title={t("failed")} message={reasonOf(first.error)} onRetry={() => void first.refetch()} />
    );
  if (total === 0)
    return (
      <EmptyState title={t(onReset ? "emptyFilter" : "empty")}>
        {onReset ? <Button onClick={onReset}>{t("grid:resetFilters")}</Button> : null}
      </EmptyState>
    );
  return (
    <div className="board-main">
      <div className="board-panel">
        <BoardGrid
          view={view}
          total={total}
          rowAt={board.rowAt}
          drawn={drawn}
          totals={totals}
          isAsking={askingOf(asked, view.type, zone)}
          seenMissing={seenMissing}
          selection={selection}
          cursor={cursor}
          onSelect={onSelect}
        />
        {board.error ? (
          <ErrorState title={t("failedRows")} message={reasonOf(board.error)} onRetry={board.retry} />
        ) : null}
        <Legend />
      </div>
      <aside className="board-side">
        {selection ? (
          <Selected
            view={view}
            selection={selection}
            total={total}
            rowAt={board.rowAt}
            onClose={() => onSelect(null, null)}
          />
        ) : (
          <p className="board-hint">{t("hint")}</p>
        )}
        <RunningTasks asked={asked} />
        {totals ? <Reasons totals={totals} /> : null}
      </aside>
    </div>
  );
}

function selectedIndexes(selection: Selection | null): number[] {
  if (!selection || selection.rows === "all") return [];
  const { from, to } = selection.rows;
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}
