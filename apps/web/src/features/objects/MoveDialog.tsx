import type { TreeObject } from "@metrum/contract/accounting";
import { useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "#ui/button";
import { Dialog } from "#ui/dialog";
import { SearchBox } from "#ui/search";
import { Tree } from "#ui/tree";
import { moveNodes } from "./actions.ts";
import { useTreeWords } from "./useTreeWords.ts";
import { useTree } from "./useTree.ts";

/** Chooses the place to which branches move: below a node, or at the top. */
export function MoveDialog(props: {
  readonly moved: readonly Pick<TreeObject, "_id" | "name" | "parentId">[];
  readonly onClose: () => void;
  readonly onMoved?: () => void;
}) {
  const { moved, onClose } = props;
  const { t } = useTranslation("objects");
  const words = useTreeWords();
  const [search, setSearch] = useState("");
  const [target, setTarget] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const tree = useTree({ search, sort: null });
  const move = async (to: string | null) => {
    setBusy(true);
    const isMoved = await moveNodes(
      moved.map(({ _id, parentId }) => ({ id: _id, from: parentId })),
      to,
    );
    setBusy(false);
    if (!isMoved) return;
    props.onMoved?.();
    onClose();
  };
  const [only] = moved;
  return (
    <Dialog
      title={
        moved.length === 1
          ? t("move.title", { name: only?.name ?? "" })
          : t("move.many", { count: moved.length })
      }
      size={500}
      onClose={onClose}
      isBusy={isBusy}
      actions={
        <>
          <Button onClick={() => void move(null)} disabled={isBusy}>
            {t("move.top")}
          </Button>
          <Button kind="primary" isBusy={isBusy} disabled={target === null} onClick={() => void move(target)}>
            {t("move.action")}
          </Button>
        </>
      }
    >
      <div className="objects-picker">
        <SearchBox
          label={t("search")}
          value={search}
          onSearch={useCallback((text: string) => setSearch(text.trim()), [])}
        />
        <Tree
          label={t("move.label")}
          rows={tree.rows}
          current={target}
          onSelect={setTarget}
          onOpen={tree.change}
          words={words}
        />
      </div>
    </Dialog>
  );
}
