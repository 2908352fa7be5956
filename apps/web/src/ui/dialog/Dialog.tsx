import { useId, useLayoutEffect, useRef, type KeyboardEvent, type PointerEvent, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "#ui/button";
import "./dialog.css";
import { confirm } from "./requests.ts";

/** Widths of the specification in pixels; the large ones fill the window. */
export type DialogSize = 300 | 400 | 450 | 500 | 618 | 950 | "25%" | "90%" | "95%" | "fit";

interface Props {
  readonly title: string;
  readonly size?: DialogSize;
  /** Without it the dialog cannot be closed by Escape, cross or a click outside. */
  readonly onClose?: (() => void) | undefined;
  /** A click outside closes. Dialogs with input stay open. */
  readonly closesOutside?: boolean;
  /** There is unsaved input: Escape and the cross ask before it is lost. */
  readonly isDirty?: boolean;
  readonly isBusy?: boolean;
  readonly isTitleHidden?: boolean;
  /** Beside the title. */
  readonly head?: ReactNode;
  readonly role?: "dialog" | "alertdialog";
  readonly children?: ReactNode;
  /** The last one is at the right edge. Focus starts on the element with `data-autofocus`, or on a search. */
  readonly actions?: ReactNode;
}

/** A native modal dialog: the browser keeps the focus inside and returns it to the opener. */
export function Dialog(props: Props) {
  const { title, size = 400, onClose, closesOutside = true, isBusy = false, isTitleHidden = false } = props;
  const { isDirty = false } = props;
  const { t } = useTranslation("common");
  const id = useId();
  const element = useRef<HTMLDialogElement>(null);
  const leave = async () => {
    if (
      !isDirty ||
      (await confirm({
        title: t("leave.title"),
        text: t("leave.text"),
        action: t("leave.action"),
        isHarmful: true,
      }))
    )
      onClose?.();
  };
  const close = isBusy || !onClose ? undefined : () => void leave();

  useLayoutEffect(() => {
    const { current } = element;
    const opener = document.activeElement;
    current?.showModal();
    const first = ["[data-autofocus]", "[role=searchbox]"].map((each) => current?.querySelector(each));
    first.find((each) => each instanceof HTMLElement)?.focus();
    return () => {
      current?.close();
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    event.preventDefault();
    event.stopPropagation();
    close?.();
  };
  const onPointerDown = (event: PointerEvent) => {
    if (closesOutside && event.target === element.current && isOutside(event, element.current)) close?.();
  };
  return (
    <dialog
      ref={element}
      className="dialog"
      data-size={size}
      role={props.role}
      aria-labelledby={id}
      aria-busy={isBusy || undefined}
      onKeyDown={onKeyDown}
      onCancel={(event) => event.preventDefault()}
      onPointerDown={onPointerDown}
    >
      <header className={isTitleHidden ? "visually-hidden" : "dialog-head"}>
        <h2 id={id}>{title}</h2>
        {props.head}
        {close ? <IconButton icon="close" label={t("close")} size="small" onClick={close} /> : null}
      </header>
      <div className="dialog-body">{props.children}</div>
      {props.actions === undefined ? null : <footer className="dialog-foot">{props.actions}</footer>}
    </dialog>
  );
}

function isOutside({ clientX, clientY }: PointerEvent, element: HTMLElement): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return clientX < left || clientX > right || clientY < top || clientY > bottom;
}
