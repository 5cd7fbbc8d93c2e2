"""C = A B with few results, in one slice of k and in several: when does splitting pay?"""
