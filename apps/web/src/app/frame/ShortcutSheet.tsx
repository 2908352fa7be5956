import { useTranslation } from "react-i18next";
import { Dialog } from "#ui/dialog";
import "./shortcutSheet.css";

/** Shortcuts by their effect; several keys of one line are equivalent. */
const shortcuts = [
  { id: "palette", keys: ["Ctrl K"] },
  { id: "search", keys: ["/"] },
  { id: "rows", keys: ["J", "K", "↓", "↑"] },
  { id: "edges", keys: ["Home", "End"] },
  { id: "tick", keys: ["X"] },
  { id: "range", keys: ["Shift X"] },
  { id: "open", keys: ["Enter"] },
  { id: "beside", keys: ["Ctrl Enter"] },
  { id: "copy", keys: ["Ctrl C"] },
  { id: "clear", keys: ["Esc"] },
  { id: "sheet", keys: ["?"] },
] as const;

/** Keyboard shortcuts of lists. */
export function ShortcutSheet({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation("shell");
  return (
    <Dialog title={t("shortcuts.title")} size={450} onClose={onClose}>
      <dl className="shortcut-sheet">
        {shortcuts.map(({ id, keys }) => (
          <div key={id}>
            <dt>
              {keys.map((each) => (
                <kbd key={each}>{each}</kbd>
              ))}
            </dt>
            <dd>{t(`shortcuts.${id}`)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
