import { pointBounds } from "@metrum/contract/accounting";
import { useCallback, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNow } from "#lib/format";
import { useSession } from "#lib/session";
import { keepFiles, readFiles, type KeptFile } from "./keptFiles.ts";
import { dropDraft, keepDraft, readDraft, type SwapDraft } from "./replaceDraft.ts";
import { newDraft } from "./swapInput.ts";

const kinds = ["image/jpeg", "image/png", "image/webp", "application/pdf"];
const mib = 1024 * 1024;

/** The input of the wizard and its photographs: every change is kept in the browser at once. */
export function useSwapDraft(pointId: number) {
  const { t } = useTranslation("pointReplacement");
  const { user } = useSession();
  const now = useNow();
  const [kept, setKept] = useState(() => readDraft(user.id, pointId) ?? { draft: newDraft(now), at: null });
  const [isKept, setIsKept] = useState(true);
  const [fault, setFault] = useState<string>();
  const filesKey = `${String(user.id)}.${String(pointId)}`;
  const [files, setFiles] = useState<readonly KeptFile[]>([]);
  const [keepsFiles, setKeepsFiles] = useState(true);
  useEffect(() => {
    let isShown = true;
    void readFiles(filesKey).then((found) => {
      if (isShown && found.length > 0) setFiles(found);
    });
    return () => {
      isShown = false;
    };
  }, [filesKey]);

  const put = (change: Partial<SwapDraft>) => {
    const next = { draft: { ...kept.draft, ...change }, at: now };
    setKept(next);
    setIsKept(keepDraft(user.id, pointId, next));
  };
  const putFiles = (next: readonly KeptFile[]) => {
    setFiles(next);
    void keepFiles(filesKey, next).then(setKeepsFiles);
  };
  const addFiles = (chosen: readonly File[], side: KeptFile["side"]) => {
    const wrong = chosen.find(({ type, size }) => !kinds.includes(type) || size > pointBounds.fileBytes);
    const sound = chosen.filter((file) => file !== wrong);
    const isTooMany = files.length + sound.length > pointBounds.files;
    setFault(
      wrong !== undefined
        ? t("files.wrong", { name: wrong.name, mib: pointBounds.fileBytes / mib })
        : isTooMany
          ? t("files.many", { count: pointBounds.files })
          : undefined,
    );
    if (isTooMany || sound.length === 0) return;
    const added = sound.map((file): KeptFile => {
      return { id: crypto.randomUUID(), name: file.name, side, at: now, content: file };
    });
    putFiles([...files, ...added]);
  };
  const drop = useCallback(() => {
    dropDraft(user.id, pointId);
    void keepFiles(filesKey, []);
  }, [user.id, pointId, filesKey]);
  return {
    draft: kept.draft,
    /** When it was kept last; null: nothing was entered yet. */
    keptAt: kept.at,
    /** False: the browser keeps nothing, and the input is lost with the page. */
    isKept: isKept && (keepsFiles || files.length === 0),
    put,
    files,
    fault,
    addFiles,
    setFiles: putFiles,
    removeFile: (id: string) => putFiles(files.filter((each) => each.id !== id)),
    drop,
  };
}
export type SwapDraftInUse = ReturnType<typeof useSwapDraft>;
