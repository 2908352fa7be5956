import type { InboxEntry } from "@metrum/contract/headend";
import { Suspense, useEffect, useRef, useState } from "react";
import { lazily } from "#lib/load";
import { useTranslation } from "react-i18next";
import { ListView, useList } from "#ui/list";
import { callerKey, callerList } from "./callerList.tsx";

const RegisterDialog = lazily(async () => ({
  default: (await import("./RegisterDialog.tsx")).RegisterDialog,
}));

/** The list of unknown callers, and the one that is being registered. */
export function useCallers(isStaff: boolean) {
  const [added, setAdded] = useState<InboxEntry | null>(null);
  const list = useList(callerList, { isStaff, onAdd: setAdded });
  return { list, added, setAdded, isStaff };
}

/**
 * The button that opened the form disappears with its row; the tab then takes the focus, so that the keyboard
 * stays in the page.
 */
function useFocusAfter(isOpen: boolean): void {
  const wasOpen = useRef(false);
  useEffect(() => {
    if (wasOpen.current && !isOpen && document.activeElement === document.body)
      document.querySelector<HTMLElement>("[role=tab][aria-selected=true]")?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
}

/** Unknown callers, and the form that registers one. */
export function Callers({ list, added, setAdded, isStaff }: ReturnType<typeof useCallers>) {
  const { t } = useTranslation("callers");
  // Poll results that arrive meanwhile belong to the open form.
  const entry = added && (list.rows.find((row) => callerKey(row) === callerKey(added)) ?? added);
  useFocusAfter(entry !== null);
  return (
    <>
      <ListView list={list} {...(isStaff ? {} : { empty: t("emptyOwn"), footNote: t("note") })} />
      {entry === null ? null : (
        <Suspense>
          <RegisterDialog
            key={`${callerKey(entry)}/${String(entry.model_id)}`}
            entry={entry}
            isStaff={isStaff}
            onClose={() => setAdded(null)}
          />
        </Suspense>
      )}
    </>
  );
}
