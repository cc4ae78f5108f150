"""How well methods find related pages, where somebody has said what is related."""
