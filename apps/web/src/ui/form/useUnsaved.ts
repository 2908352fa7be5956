import { useBlocker, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { storedToken } from "#lib/token";
import { confirm } from "#ui/dialog";

/**
 * While there is unsaved input, every navigation asks first: links, Back, closing the tab. Not after the
 * session has ended, as nothing can be saved then.
 */
export function useUnsaved(isDirty: boolean): void {
  const { t } = useTranslation("common");
  const { history } = useRouter();
  useBlocker({
    disabled: !isDirty,
    enableBeforeUnload: isDirty,
    shouldBlockFn: async () =>
      storedToken() !== null &&
      !(await confirm({
        title: t("leave.title"),
        text: t("leave.text"),
        action: t("leave.action"),
        isHarmful: true,
      })),
  });
  // A link changes the address without the router, whose confirmation must be triggered.
  useEffect(() => {
    if (!isDirty) return;
    const onClick = (event: MouseEvent) => {
      if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      const href = link?.getAttribute("href");
      if (!href?.startsWith("#/")) return;
      event.preventDefault();
      history.push(href.slice(1));
    };
    document.addEventListener("click", onClick, { capture: true });
    return () => document.removeEventListener("click", onClick, { capture: true });
  }, [isDirty, history]);
}
