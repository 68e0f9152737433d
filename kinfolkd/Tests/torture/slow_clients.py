"""slow_clients"""
