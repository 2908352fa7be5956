import { Button } from "#ui/button";
import { copyText, type Told } from "#ui/copy";
import { StatusGlyph } from "#ui/status";
import "./settings.css";

interface Props {
  /** A password or a token that cannot be shown again. */
  readonly secret: string;
  /** `once` explains that it is shown only once. */
  readonly texts: Told & { readonly once: string; readonly copy: string; readonly saved: string };
  readonly onDone: () => void;
}

/** A secret shown only once: to select, to copy, and to dismiss once it is stored elsewhere. */
export function ShownOnce({ secret, texts, onDone }: Props) {
  return (
    <div className="shown-once">
      <p role="status">
        <StatusGlyph kind="warn" />
        {texts.once}
      </p>
      <code>{secret}</code>
      <div>
        <Button icon="copy" onClick={() => void copyText(secret, texts)}>
          {texts.copy}
        </Button>
        <Button kind="primary" onClick={onDone}>
          {texts.saved}
        </Button>
      </div>
    </div>
  );
}
