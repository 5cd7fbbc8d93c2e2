"""Source with Pygments classes; the style sheet colours them in both themes."""

from __future__ import annotations

from markupsafe import Markup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_for_filename
from pygments.lexers.special import TextLexer
from pygments.util import ClassNotFound

from app.services.stage_view import StageView


def highlighted_source(view: StageView) -> Markup:
    """The stage's source as a table of line numbers and code. Pygments escapes the text."""
    try:
        lexer = get_lexer_for_filename(view.source_name)
    except ClassNotFound:
        lexer = TextLexer()
    formatter = HtmlFormatter(linenos="table", cssclass="code", wrapcode=False)
    return Markup(highlight(view.source or "", lexer, formatter))
