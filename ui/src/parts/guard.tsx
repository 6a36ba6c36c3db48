import { Component, type ReactNode } from "react";

interface Props {
  /** In place of the part that could not be shown. */
  instead: ReactNode;
  children: ReactNode;
}

/** Keeps what surrounds a part when the part fails, such as code that is gone since the site was updated. */
export class Guard extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    return this.state.failed ? this.props.instead : this.props.children;
  }
}
