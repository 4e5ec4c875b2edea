import type { IPrimitivePaneRenderer, IPrimitivePaneView, ISeriesPrimitive, Time } from 'lightweight-charts'

type Target = Parameters<IPrimitivePaneRenderer['draw']>[0]

/** Writes what a pane shows at its top left; a title of the library would cover the last bars, in the colour of the last one. */
export class PaneTitle implements ISeriesPrimitive<Time> {
  private readonly views: readonly IPrimitivePaneView[]

  constructor(
    private readonly text: string,
    private readonly colour: string,
  ) {
    this.views = [{ zOrder: () => 'top', renderer: () => ({ draw: (target: Target) => this.draw(target) }) }]
  }

  paneViews(): readonly IPrimitivePaneView[] {
    return this.views
  }

  private draw(target: Target): void {
    target.useMediaCoordinateSpace(({ context }) => {
      context.font = '12px system-ui, sans-serif'
      context.fillStyle = this.colour
      context.textBaseline = 'top'
      context.fillText(this.text, 8, 6)
    })
  }
}
