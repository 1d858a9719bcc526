"""Page icon and wordmarks, and the script that draws them."""
